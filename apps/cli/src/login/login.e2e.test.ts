import { chmod, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname } from "node:path";
import { faultSize } from "@svc/testing/fault-size";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { LoginWorld } from "../../testing/login-world.ts";
import { PersonWithBrowser } from "../../testing/person-with-browser.ts";

type Fault = (response: ServerResponse) => void;

let world: LoginWorld;
const past = () => Date.now() - 1_000;

beforeAll(async () => {
  // The provider warns that its pages are for development only, which is fine here.
  vi.spyOn(console, "warn").mockImplementation(() => {});
  vi.spyOn(console, "info").mockImplementation(() => {});
  world = await LoginWorld.start();
});
afterAll(() => world?.close());
afterEach(() => {
  world.provider.fault = () => false;
  world.provider.deviceAnswer = { interval: 1 };
  world.provider.deviceCodeSeconds = 600;
});

/** The token endpoint's first answers, one per request; returns how many requests came. */
function faultyTokenEndpoint(...faults: Fault[]): () => number {
  let requests = 0;
  world.provider.fault = (request: IncomingMessage, response) => {
    if (request.url !== "/token") return false;
    const fault = faults[requests];
    requests += 1;
    fault?.(response);
    return fault !== undefined;
  };
  return () => requests;
}

const nightly = { tags: ["nightly"] };

const reset: Fault = (response) => response.socket?.destroy();
const answer =
  (status: number, type: string, body: string): Fault =>
  (response) =>
    response.writeHead(status, { "content-type": type }).end(body);

describe("logging in", () => {
  test("with a browser, stored in a file that nobody else can read", async () => {
    const home = await world.newHome();
    const login = home.start("login");
    await world.person.approve(await login.prompt);
    const { host } = new URL(world.api.address);
    expect(await login.ended).toEqual({
      exitCode: 0,
      out: `Logged in as Mina Aoki <mina@kumo.example> at Kumo (${host}). The login is stored in ${home.credentials}.\n`,
      error: expect.stringContaining(`${world.provider.issuer}/device`),
    });
    expect(await home.run("whoami")).toMatchObject({ exitCode: 0, error: "" });
    expect((await stat(home.credentials)).mode & 0o777).toBe(0o600);
    expect((await stat(dirname(home.credentials))).mode & 0o777).toBe(0o700);
  });

  test("denied in the browser", async () => {
    const home = await world.newHome();
    const login = home.start("login");
    await world.person.deny(await login.prompt);
    expect(await login.ended).toMatchObject({
      exitCode: 12,
      out: "",
      error: expect.stringContaining("error: The login was denied."),
    });
  });

  test("too late", nightly, async () => {
    world.provider.deviceCodeSeconds = 2;
    const home = await world.newHome();
    expect(await home.run("login")).toMatchObject({
      exitCode: 11,
      error: expect.stringMatching(/expired before anybody approved it\.\nhint: .*svc login/),
    });
  });

  // `wait-for-approval.test.ts` has the pauses.
  test("goes on if the provider asks it to poll less often", nightly, async () => {
    const home = await world.newHome();
    const refuse = (error: string) => answer(400, "application/json", JSON.stringify({ error }));
    const requests = faultyTokenEndpoint(refuse("slow_down"), refuse("authorization_pending"));
    const login = home.start("login");
    await world.person.approve(await login.prompt);
    expect(await login.ended).toMatchObject({ exitCode: 0 });
    expect(requests()).toBeGreaterThanOrEqual(3);
  });

  test("despite a broken connection and pages that are not the provider's", nightly, async () => {
    const home = await world.newHome();
    const page = "<html>Bad gateway</html>";
    const requests = faultyTokenEndpoint(
      reset,
      answer(502, "text/html", page),
      answer(200, "text/html", page),
      answer(503, "application/json", '{"error":"temporarily_unavailable"}'),
    );
    const login = home.start("login");
    await world.person.approve(await login.prompt);
    expect(await login.ended).toMatchObject({ exitCode: 0, out: expect.stringContaining("Mina Aoki") });
    expect(requests()).toBe(5);
  });

  test.for(["verification_uri", "verification_uri_complete"])(
    "not at somebody else's address: %s",
    nightly,
    async (field) => {
      world.provider.deviceCodeSeconds = 2;
      world.provider.deviceAnswer = { interval: 1, [field]: "https://localhost.evil.example/device" };
      const { exitCode, error } = await (await world.newHome()).run("login");
      expect(exitCode).toBe(12);
      expect(error).toContain("which is another site");
      expect(error).not.toContain("To log in");
    },
  );

  test("started by a program, finished after the approval", nightly, async () => {
    const home = await world.newHome();
    const begun = await home.run("login --no-wait");
    expect(begun).toMatchObject({ exitCode: 0, error: "" });
    const { verificationUri: address, userCode: code, ...others } = JSON.parse(begun.out);
    expect(others).toEqual({
      verificationUriComplete: `${address}?user_code=${code}`,
      expiresAt: expect.any(String),
      resume: "svc login --resume",
    });
    const pending = `${dirname(home.credentials)}/pending-login.json`;
    expect((await stat(pending)).mode & 0o777).toBe(0o600);

    const asked = Promise.withResolvers<void>();
    world.provider.fault = ({ url }) => {
      if (url === "/token") asked.resolve();
      return false;
    };
    const interrupted = home.start("login --resume");
    await asked.promise;
    interrupted.child.kill("SIGINT");
    expect(await interrupted.ended).toMatchObject({ exitCode: 130 });

    const resumed = home.start("login --resume --format json");
    await world.person.approve({ address, code });
    const { exitCode, out } = await resumed.ended;
    expect(exitCode).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ actor: { name: "Mina Aoki" }, keptIn: home.credentials });
    expect(await home.run("login --resume")).toMatchObject({ exitCode: 21 });
  });

  test("as somebody without access to the service", nightly, async () => {
    world.provider.addPerson("otto", { email: "otto@elsewhere.example", email_verified: true });
    const otto = await PersonWithBrowser.start("otto");
    const login = (await world.newHome()).start("login");
    await otto.approve(await login.prompt);
    await otto.close();
    const { host } = new URL(world.api.address);
    expect(await login.ended).toMatchObject({
      exitCode: 12,
      out: "",
      error: expect.stringContaining(`knows you, but you have no access to ${host}`),
    });
  });

  test("until Ctrl-C", async () => {
    const login = (await world.newHome()).start("login");
    await login.prompt;
    // Nobody has approved it.
    login.child.kill("SIGINT");
    expect(await login.ended).toMatchObject({ exitCode: 130 });
  });

  test("warns that a token in the environment takes precedence", async () => {
    world.provider.deviceCodeSeconds = 1;
    const { error } = await (await world.newHome()).run("login", { SVC_SA_TOKEN: "x" });
    expect(error).toContain("warning: SVC_SA_TOKEN is set and takes precedence over the login");
  });
});

describe("being logged in", () => {
  test("continues when the access token has expired, by the clock or according to the service", async () => {
    const home = await world.loggedIn();
    const before = world.provider.refreshes;
    await home.alter({ expiresAt: past() });
    expect(await home.run("whoami")).toMatchObject({ exitCode: 0, error: "" });
    expect(world.provider.refreshes - before).toBe(1);

    await home.alter({ accessToken: "e30.e30.e30" });
    expect(await home.run("whoami")).toMatchObject({ exitCode: 0, error: "" });
    expect(world.provider.refreshes - before).toBe(2);

    expect(await home.run("whoami")).toMatchObject({ exitCode: 0 });
    expect(world.provider.refreshes - before).toBe(2);
  });

  const processes = faultSize(20, 6);
  test(`continues in ${processes} processes at once, with one refresh`, async () => {
    const home = await world.loggedIn();
    const before = world.provider.refreshes;
    await home.alter({ expiresAt: past() });
    const runs = await Promise.all(Array.from({ length: processes }, () => home.run("whoami")));
    expect(runs.map(({ exitCode, error }) => ({ exitCode, error }))).toEqual(
      Array(processes).fill({ exitCode: 0, error: "" }),
    );
    expect(world.provider.refreshes - before).toBe(1);
    expect(await home.run("whoami")).toMatchObject({ exitCode: 0 });
    expect(world.provider.refreshes - before).toBe(1);
    expect(await readdir(dirname(home.credentials))).toEqual(["credentials.json"]);
  });

  test("survives a provider that cannot be reached", nightly, async () => {
    const home = await world.loggedIn();
    await home.alter({ expiresAt: past() });
    const kept = await home.kept();
    faultyTokenEndpoint(...Array<Fault>(10).fill(reset));
    expect(await home.run("whoami")).toMatchObject({ exitCode: 40 });
    expect(await home.kept()).toEqual(kept);
    world.provider.fault = () => false;
    expect(await home.run("whoami")).toMatchObject({ exitCode: 0 });
  });

  test("is not read from a file that others can read", nightly, async () => {
    const home = await world.loggedIn();
    await chmod(home.credentials, 0o644);
    expect(await home.run("whoami")).toMatchObject({
      exitCode: 43,
      error: expect.stringContaining("chmod 600"),
    });
    await chmod(home.credentials, 0o600);
    await writeFile(home.credentials, "{");
    expect(await home.run("whoami")).toMatchObject({ exitCode: 43 });
  });

  test("at one service reveals nothing to another", async () => {
    const home = await world.loggedIn();
    let requests = 0;
    const other = createServer((_request, response) => {
      requests += 1;
      response.end();
    });
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const address = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    expect(await home.run("whoami", { SVC_BASE_URL: address })).toMatchObject({ exitCode: 10 });
    expect(requests).toBe(0);
    other.close();
  });
});

describe("logging out", () => {
  test("revokes the login and removes it", async () => {
    const home = await world.loggedIn();
    const before = await readFile(home.credentials, "utf8");
    expect(await home.run("logout")).toMatchObject({
      exitCode: 0,
      out: expect.stringContaining("removed from this machine and revoked"),
      error: "",
    });
    expect(await home.kept()).toBeUndefined();
    expect(await home.run("whoami")).toMatchObject({ exitCode: 10 });

    // A copy of it is worthless.
    await writeFile(home.credentials, before);
    await home.alter({ expiresAt: past() });
    expect(await home.run("whoami")).toMatchObject({
      exitCode: 11,
      error: expect.stringContaining("expired or was revoked"),
    });
  });

  test("says so if it cannot be revoked, and removes it anyway", nightly, async () => {
    const home = await world.loggedIn();
    world.provider.fault = (_request, response) => {
      reset(response);
      return true;
    };
    expect(await home.run("logout")).toMatchObject({
      exitCode: 0,
      out: expect.stringMatching(/removed from this machine\.$/m),
      error: expect.stringContaining("warning: the login was not revoked at the identity provider."),
    });
    expect(await home.kept()).toBeUndefined();
  });

  test("without a login says so", async () => {
    expect(await (await world.newHome()).run("logout")).toMatchObject({
      exitCode: 0,
      out: expect.stringContaining("You were not logged in"),
    });
  });
});
