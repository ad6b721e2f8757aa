/** @module-tag nightly */
import { readFile, writeFile } from "node:fs/promises";
import { createServer, type Server, request as send } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { LoginWorld } from "../../testing/login-world.ts";
import { PersonWithBrowser } from "../../testing/person-with-browser.ts";
import { TmuxTerminal } from "../../testing/tmux-terminal.ts";

type Home = Awaited<ReturnType<LoginWorld["newHome"]>>;
type Stored = Record<string, { login: { accessToken: string; expiresAt: number } }>;

/** In front of a service: notes each token that arrives, whatever becomes of the request. */
class Door {
  readonly tokens: string[] = [];
  readonly #server: Server;

  private constructor(target: string) {
    this.#server = createServer((request, response) => {
      const { authorization } = request.headers;
      if (authorization !== undefined) this.tokens.push(authorization.replace("Bearer ", ""));
      const { method, headers } = request;
      const passed = send(new URL(request.url ?? "/", target), { method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      });
      passed.on("error", () => response.destroy());
      request.pipe(passed);
    });
  }

  static async open(target: string): Promise<Door> {
    const door = new Door(target);
    await new Promise<void>((resolve) => door.#server.listen(0, "127.0.0.1", resolve));
    return door;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

let world: LoginWorld;
let rin: PersonWithBrowser;
let [kumo, nami]: Door[] = [];
let home: Home;
/** Each token that was ever stored, by the key of its profile. */
const issued = new Map<string, string>();

const doors = () => {
  if (!kumo || !nami) throw new Error("nothing was started");
  return { kumo, nami };
};
const profiles = {
  "kumo-mina": { door: () => doors().kumo, shows: ["Mina Aoki", "Kumo"] },
  "kumo-rin": { door: () => doors().kumo, shows: ["Rin Sato", "Kumo"] },
  "nami-mina": { door: () => doors().nami, shows: ["Mina Aoki", "Nami"] },
  "nami-rin": { door: () => doors().nami, shows: ["Rin Sato", "Nami"] },
} as const;
const names = Object.keys(profiles) as (keyof typeof profiles)[];
/** As in a shell that names no service. */
const nowhere = { SVC_BASE_URL: "" };

async function stored(): Promise<Stored> {
  return JSON.parse(await readFile(home.credentials, "utf8")) as Stored;
}

async function noteIssued(): Promise<void> {
  for (const [key, { login }] of Object.entries(await stored())) issued.set(login.accessToken, key);
}

async function expire(...wanted: string[]): Promise<void> {
  const all = await stored();
  for (const [key, { login }] of Object.entries(all))
    if (wanted.includes(key.split(" ")[1] ?? "")) login.expiresAt = Date.now() - 1_000;
  await writeFile(home.credentials, JSON.stringify(all));
}

/** Tokens that a service has seen, and that are not for it. */
function strays(): string[] {
  return Object.values(doors()).flatMap(({ tokens, origin }) =>
    tokens.filter((token) => issued.get(token)?.split(" ")[0] !== origin),
  );
}

beforeAll(async () => {
  // The provider warns that its pages are for development only, which is fine here.
  vi.spyOn(console, "warn").mockImplementation(() => {});
  vi.spyOn(console, "info").mockImplementation(() => {});
  world = await LoginWorld.start();
  world.provider.addPerson("rin", { name: "Rin Sato", email: "rin@kumo.example", email_verified: true });
  rin = await PersonWithBrowser.start("rin");
  kumo = await Door.open(world.api.address);
  nami = await Door.open((await world.startAnotherService("Nami")).address);
  home = await world.newHome();
  for (const name of names) {
    const login = home.start(`login --profile ${name}`, { SVC_BASE_URL: profiles[name].door().origin });
    await (name.endsWith("rin") ? rin : world.person).approve(await login.prompt);
    const { exitCode, out, error } = await login.ended;
    expect({ exitCode, out, error }).toMatchObject({
      exitCode: 0,
      out: expect.stringContaining(`, profile ${name})`),
    });
  }
  await noteIssued();
});
afterAll(async () => {
  kumo?.close();
  nami?.close();
  await rin?.close();
  await world?.close();
});

test("two accounts at each of two services: each profile is its account, at its service", async () => {
  for (const name of names) {
    for (const environment of [{ ...nowhere, SVC_PROFILE: name }, nowhere]) {
      if (environment === nowhere) await home.run(`use @${name}`, nowhere);
      const { exitCode, out, error } = await home.run("whoami", environment);
      expect({ exitCode, error }).toEqual({ exitCode: 0, error: "" });
      for (const text of profiles[name].shows) expect(out).toContain(text);
    }
  }
  expect(strays()).toEqual([]);
});

test("twenty processes at once, of four expired profiles: one refresh each, and no token at another service", async () => {
  await expire(...names);
  const before = world.provider.refreshes;
  const seen = doors().kumo.tokens.length + doors().nami.tokens.length;
  const runs = await Promise.all(
    Array.from({ length: 20 }, async (_, at) => {
      const name = names[at % names.length] ?? "kumo-mina";
      return { name, ...(await home.run("whoami", { ...nowhere, SVC_PROFILE: name })) };
    }),
  );
  for (const { name, exitCode, out, error } of runs) {
    expect({ exitCode, error }).toEqual({ exitCode: 0, error: "" });
    for (const text of profiles[name].shows) expect(out).toContain(text);
  }
  expect(world.provider.refreshes - before).toBe(4);
  await noteIssued();
  expect(doors().kumo.tokens.length + doors().nami.tokens.length - seen).toBe(20);
  expect(strays()).toEqual([]);
});

test("twenty processes at once, of one expired profile: one refresh, and the others stay as they are", async () => {
  await expire("kumo-rin");
  const [before, others] = [world.provider.refreshes, await stored()];
  const runs = await Promise.all(
    Array.from({ length: 20 }, () => home.run("whoami", { ...nowhere, SVC_PROFILE: "kumo-rin" })),
  );
  expect(runs.map(({ exitCode, error }) => ({ exitCode, error }))).toEqual(
    Array(20).fill({ exitCode: 0, error: "" }),
  );
  expect(world.provider.refreshes - before).toBe(1);
  const key = `${doors().kumo.origin} kumo-rin`;
  const { [key]: renewed, ...same } = await stored();
  const { [key]: expired, ...were } = others;
  expect(same).toEqual(were);
  expect(renewed).not.toEqual(expired);
  await noteIssued();
  expect(strays()).toEqual([]);
});

test("a token in the environment ignores profiles, and renews none", async () => {
  await expire(...names);
  await home.run("use @nami-mina", nowhere);
  const [before, tokens] = [world.provider.refreshes, doors().nami.tokens.length];
  const kept = await stored();
  for (const SVC_PROFILE of ["", "nami-rin", "kumo-rin", "nobody"]) {
    const environment = { SVC_BASE_URL: doors().kumo.origin, SVC_SA_TOKEN: "svc_sa_of_nobody", SVC_PROFILE };
    expect(await home.run("whoami", environment)).toMatchObject({ exitCode: 10 });
    expect(doors().kumo.tokens.splice(-1)).toEqual(["svc_sa_of_nobody"]);
  }
  expect(doors().nami.tokens).toHaveLength(tokens);
  expect(world.provider.refreshes).toBe(before);
  expect(await stored()).toEqual(kept);
  expect(strays()).toEqual([]);
});

test("a profile does not follow SVC_BASE_URL to another service", async () => {
  const [first, second] = [doors().kumo.origin, doors().nami.origin];
  const seen = doors().nami.tokens.length;
  const refused = await home.run("whoami", { SVC_BASE_URL: second, SVC_PROFILE: "kumo-mina" });
  expect(strays()).toEqual([]);
  expect(refused.exitCode).toBe(20);
  expect(refused.error).toContain(`is for ${first}, but SVC_BASE_URL is ${second}`);
  await home.run("use @kumo-mina", nowhere);
  expect(await home.run("whoami", { SVC_BASE_URL: second })).toMatchObject({ exitCode: 10 });
  expect(doors().nami.tokens).toHaveLength(seen);
});

test("on a terminal whoami and doctor say which, a write reminds, and each profile has its workspace", async () => {
  const environment = { HOME: home.folder, SSL_CERT_FILE: world.environment.SSL_CERT_FILE ?? "" };
  const path = `${join(world.svc.folder, "bin")}:/usr/bin:/bin`;
  const screen = await TmuxTerminal.open({
    columns: 160,
    rows: 50,
    cwd: home.folder,
    environment: { ...environment, PATH: path, SVC_PROFILE: "kumo-mina" },
  });
  try {
    await screen.waitFor(/\$/);
    await screen.type("svc whoami");
    expect(await screen.waitFor(/Profile +\S+\n/)).toMatch(/^Profile {5}kumo-mina$/m);
    await screen.type("clear; svc workspaces create Harbour");
    expect(await screen.waitFor(/note: profile \S+/)).toContain("note: profile kumo-mina");
    await screen.type("clear; svc use harbour && SVC_PROFILE=kumo-rin svc use; svc doctor | grep credential");
    const shown = await screen.waitFor(/credential .*\n/);
    expect(shown).toMatch(/Harbour {2}ws_/);
    expect(shown).toContain("No workspace is selected.");
    expect(shown).toMatch(/Mina Aoki at Kumo, from your login, profile kumo-mina, valid/);
  } finally {
    await screen.close();
  }
  await noteIssued();
  expect(strays()).toEqual([]);
});

test("logging out ends one profile and leaves the others", async () => {
  const before = Object.keys(await stored());
  const gone = `${doors().nami.origin} nami-rin`;
  expect(await home.run("logout --profile nami-rin", nowhere)).toMatchObject({
    exitCode: 0,
    out: expect.stringContaining(`, profile nami-rin: the login was removed from this machine and revoked.`),
  });
  expect(Object.keys(await stored())).toEqual(before.filter((key) => key !== gone));
  expect(await home.run("whoami", { ...nowhere, SVC_PROFILE: "nami-rin" })).toMatchObject({ exitCode: 10 });
  expect(await home.run("whoami", { ...nowhere, SVC_PROFILE: "nami-mina" })).toMatchObject({ exitCode: 0 });
  await noteIssued();
  expect(strays()).toEqual([]);
});

test("a login that is started and resumed keeps its name", async () => {
  const there = { SVC_BASE_URL: doors().nami.origin };
  const begun = await home.run("login --no-wait --profile nami-rin", there);
  const { verificationUri: address, userCode: code, resume } = JSON.parse(begun.out);
  expect(resume).toBe("svc login --resume --profile nami-rin");
  const resumed = home.start("login --resume --profile nami-rin --format json", there);
  await rin.approve({ address, code });
  const { exitCode, out } = await resumed.ended;
  expect(exitCode).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ actor: { name: "Rin Sato" }, profile: "nami-rin" });
  // And the machine uses it from now on.
  expect(await home.run("whoami", nowhere)).toMatchObject({ out: expect.stringContaining("Rin Sato") });
  await noteIssued();
  expect(strays()).toEqual([]);
});
