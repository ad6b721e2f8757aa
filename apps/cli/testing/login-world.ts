import type { ChildProcess } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Provisioner } from "@svc/database/provision";
import { TestIdentityProvider } from "@svc/testing/identity-provider";
import { createTestDatabase } from "@svc/testing/test-database";
import { ApiProcess } from "../../backend/testing/processes/api-process.ts";
import { Certificates } from "./certificates.ts";
import { CompiledSvc } from "./compiled-svc.ts";
import { PersonWithBrowser } from "./person-with-browser.ts";

interface Kept {
  keptIn: string;
  login: { accessToken: string; refreshToken: string; expiresAt: number };
}

interface Ended {
  exitCode: number | null;
  out: string;
  error: string;
}

/** A service, its identity provider, somebody who may use it, and the svc that people get. */
export class LoginWorld {
  readonly provider: TestIdentityProvider;
  readonly api: ApiProcess;
  readonly svc: CompiledSvc;
  readonly person: PersonWithBrowser;
  readonly environment: Record<string, string>;
  readonly #closers: (() => Promise<unknown>)[];

  private constructor(
    parts: Pick<LoginWorld, "provider" | "api" | "svc" | "person" | "environment">,
    closers: (() => Promise<unknown>)[],
  ) {
    this.provider = parts.provider;
    this.api = parts.api;
    this.svc = parts.svc;
    this.person = parts.person;
    this.environment = parts.environment;
    this.#closers = closers;
  }

  static async start(ambient: Record<string, string> = {}): Promise<LoginWorld> {
    // First: without a browser, nothing else should be left running.
    const person = await PersonWithBrowser.start("mina");
    const folder = await mkdtemp(join(tmpdir(), "svc-authority-"));
    const certificates = await Certificates.make(folder);
    const provider = await TestIdentityProvider.start({
      tls: await certificates.issued("provider", "DNS:localhost,IP:127.0.0.1"),
    });
    const { issuer, audience } = provider;
    provider.deviceAnswer = { interval: 1 };
    provider.addPerson("mina", { name: "Mina Aoki", email: "mina@kumo.example", email_verified: true });
    const { host: domain } = new URL(issuer);
    const [svc, { api, closers }] = await Promise.all([
      CompiledSvc.build({ provider: { domain, clientId: "svc-cli", audience } }),
      startService("Kumo", provider, certificates.authority),
    ]);
    const environment = {
      SVC_BASE_URL: api.address,
      SSL_CERT_FILE: certificates.authority,
      ...ambient,
    };
    return new LoginWorld({ provider, api, svc, person, environment }, [
      () => person.close(),
      () => svc.remove(),
      ...closers,
      () => provider.close(),
      () => rm(folder, { recursive: true, force: true }),
    ]);
  }

  async close(): Promise<void> {
    for (const close of this.#closers) await close();
  }

  /** With its own data, and the same people. */
  async startAnotherService(tenant: string): Promise<ApiProcess> {
    const { SSL_CERT_FILE: authority = "" } = this.environment;
    const { api, closers } = await startService(tenant, this.provider, authority);
    this.#closers.unshift(...closers);
    return api;
  }

  /** Another machine, as far as svc can see. */
  async newHome(): Promise<Home> {
    return new Home(this, await mkdtemp(join(this.svc.folder, "home-")));
  }

  async loggedIn(): Promise<Home> {
    const home = await this.newHome();
    const login = home.start("login");
    await this.person.approve(await login.prompt);
    const { exitCode, error } = await login.ended;
    if (exitCode !== 0) throw new Error(`login ended with ${exitCode}: ${error}`);
    return home;
  }
}

async function startService(tenant: string, { issuer, audience }: TestIdentityProvider, authority: string) {
  const database = await createTestDatabase();
  await Provisioner.with(database.adminUrl, async (provisioner) => {
    const id = await provisioner.addTenant({ name: tenant, slug: tenant.toLowerCase() });
    await provisioner.addAdmission(id, { issuer, claim: "email", value: "kumo.example" });
    await provisioner.setWorkspaceCreation(id, "everyone");
  });
  const api = await ApiProcess.prepare(database.appUrl, {
    environment: {
      SVC_OIDC_ISSUER: issuer,
      SVC_OIDC_AUDIENCE: audience,
      SVC_OIDC_CLIENTS: "svc-cli",
      NODE_EXTRA_CA_CERTS: authority,
    },
  });
  await api.start();
  return { api, closers: [() => api.close(), () => database.drop()] };
}

/** The environment of svc and its stored state. */
class Home {
  readonly folder: string;
  readonly credentials: string;
  readonly #world: LoginWorld;

  constructor(world: LoginWorld, folder: string) {
    this.#world = world;
    this.folder = folder;
    this.credentials = join(folder, ".config/svc/credentials.json");
  }

  run(line: string, environment: Record<string, string> = {}) {
    return this.#world.svc.run(line.split(" "), { environment: this.#environment(environment) });
  }

  /** For a run that continues while a person acts. */
  start(line: string, environment: Record<string, string> = {}) {
    const child = this.#world.svc.spawn(line.split(" "), { environment: this.#environment(environment) });
    const prompt = promptOf(child);
    // Not everybody waits for one.
    prompt.catch(() => {});
    return { child, prompt, ended: endOf(child) };
  }

  /** Undefined if there is no login for this service. */
  async kept(): Promise<Kept | undefined> {
    const all = JSON.parse(await readFile(this.credentials, "utf8")) as Record<string, Kept>;
    return all[this.#world.api.address];
  }

  /** Changes the stored login, as time or somebody else might. */
  async alter(changes: Partial<Kept["login"]>): Promise<void> {
    const kept = await this.kept();
    if (!kept) throw new Error("there is no login for this service");
    const login = { ...kept.login, ...changes };
    const all = { [this.#world.api.address]: { ...kept, login } };
    await writeFile(this.credentials, JSON.stringify(all));
  }

  #environment(environment: Record<string, string>): Record<string, string> {
    return { ...this.#world.environment, HOME: this.folder, ...environment };
  }
}

async function promptOf({ stderr }: ChildProcess): Promise<{ address: string; code: string }> {
  let text = "";
  return new Promise((resolve, reject) => {
    stderr?.on("data", (chunk: Buffer) => {
      text += chunk;
      const [, address, code] = /^ {2}(https:\S+)\n {2}(\S+)\n/m.exec(text) ?? [];
      if (address !== undefined && code !== undefined) resolve({ address, code });
    });
    stderr?.once("end", () => reject(new Error(`no code was shown: ${text}`)));
  });
}

async function endOf(child: ChildProcess): Promise<Ended> {
  let [out, error] = ["", ""];
  child.stdout?.on("data", (chunk: Buffer) => {
    out += chunk;
  });
  child.stderr?.on("data", (chunk: Buffer) => {
    error += chunk;
  });
  const exitCode = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { exitCode, out, error };
}
