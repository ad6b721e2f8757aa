import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { result, SampleService } from "../../testing/sample-service.ts";
import { TestTerminal } from "../../testing/test-terminal.ts";
import { runSvc } from "../run-svc.ts";
import { LoginStore } from "./login-store.ts";

const provider = { domain: "login.example", clientId: "svc", audience: "api" };
const { signal } = new AbortController();
let home: string;
let [here, there]: SampleService[] = [];

/** Two services; at the first, one login without a name and two with. */
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "svc-profile-"));
  [here, there] = await Promise.all([SampleService.start(), SampleService.start()]);
  await keep(services().here, undefined, "mina");
  await keep(services().here, "work", "rin");
  await keep(services().here, "second", "rin");
  await keep(services().there, "away", "mina");
});
afterEach(async () => {
  here?.stop();
  there?.stop();
  await rm(home, { recursive: true });
});

function services() {
  if (!here || !there) throw new Error("nothing was started");
  return { here, there };
}

async function keep({ url }: SampleService, name: string | undefined, account: string): Promise<void> {
  const store = new LoginStore({ baseUrl: new URL(url), name }, { HOME: home }, signal);
  await store.keep({ accessToken: `${name ?? "unnamed"}-token`, account, provider });
}

async function svc(line: string, environment: Record<string, string> = {}, terminal = new TestTerminal()) {
  const invocation = {
    typed: line.split(" "),
    environment: { HOME: home, ...environment },
    terminal,
    signal,
  };
  const exitCode = await runSvc(invocation);
  return { exitCode, out: terminal.printed.toString(), error: terminal.remarks };
}

/** The tokens that each service has seen with lines. */
const tokens = () => {
  const { here, there } = services();
  const seen = ({ lines }: SampleService) => lines.map(({ headers }) => headers.authorization?.split(" ")[1]);
  return { here: seen(here), there: seen(there) };
};

describe("the profile of a line", () => {
  test("is what use @name chose, with its address", async () => {
    const { url } = services().there;
    expect(await svc("use @away")).toEqual({ exitCode: 0, out: `@away  ${url}\n`, error: "" });
    await svc("x");
    expect(await svc("use @work --format json")).toMatchObject({ out: expect.stringContaining('"@work"') });
    await svc("x");
    expect(tokens()).toEqual({ here: ["work-token"], there: ["away-token"] });
  });

  test("does not follow its name to another service", async () => {
    await svc("use @away");
    await new LoginStore(
      { baseUrl: new URL(services().there.url), name: "away" },
      { HOME: home },
      signal,
    ).forget();
    await keep(services().here, "away", "mina");
    expect(await svc("x")).toMatchObject({
      exitCode: 10,
      error: expect.stringContaining("no profile `away`"),
    });
    expect(tokens()).toEqual({ here: [], there: [] });
  });

  test("is SVC_PROFILE for a shell", async () => {
    await svc("use @away");
    await svc("x", { SVC_PROFILE: "work" });
    expect(tokens()).toEqual({ here: ["work-token"], there: [] });
    expect((await svc("use @away", { SVC_PROFILE: "work" })).error).toContain("SVC_PROFILE is set and takes");
  });

  test("is that of SVC_BASE_URL: the chosen one if it is there, otherwise the one without a name", async () => {
    const { url } = services().here;
    await svc("x", { SVC_BASE_URL: url });
    await svc("use @work", { SVC_BASE_URL: url });
    await svc("x", { SVC_BASE_URL: `${url}/` });
    await svc("use @away");
    await svc("x", { SVC_BASE_URL: url });
    await svc("x", { SVC_BASE_URL: url, SVC_PROFILE: "default" });
    await svc("use @default", { SVC_BASE_URL: url });
    expect(await svc("x")).toMatchObject({
      exitCode: 20,
      error: expect.stringContaining("No service address"),
    });
    const unnamed = "unnamed-token";
    expect(tokens()).toEqual({ here: [unnamed, "work-token", unnamed, unnamed], there: [] });
  });

  test("is never sent to another address", async () => {
    const { here, there } = services();
    for (const [line, more] of [
      ["x", { SVC_PROFILE: "work" }],
      ["use @work", {}],
      ["logout --profile work", {}],
      ["login --profile work", {}],
      ["doctor", { SVC_PROFILE: "work" }],
    ] as const) {
      const { exitCode, out, error } = await svc(line, { SVC_BASE_URL: there.url, ...more });
      expect(out + error).toContain(`Profile \`work\` is for ${here.url}, but SVC_BASE_URL is ${there.url}.`);
      expect(exitCode).toBe(line === "doctor" ? 60 : 20);
    }
    expect(tokens()).toEqual({ here: [], there: [] });
  });

  test.for(["", "nobody", "constructor", "Work", "work\u001b[2J"])("has to exist: %o", async (name) => {
    const { here, there } = services();
    const known = `There are: default, work (${here.url}), second (${here.url}), away (${there.url}).`;
    const refused = await svc(`use @${name}`);
    expect(refused).toMatchObject({ exitCode: 10, error: expect.stringContaining(known) });
    expect(refused.error).not.toContain("\u001b");
    if (name !== "") expect(await svc("x", { SVC_PROFILE: name })).toEqual(refused);
    if (name !== "") expect(await svc(`logout --profile ${name}`)).toEqual(refused);
  });

  test.for(["Work", "-work", "a b", "x".repeat(65), "ｗork", ""])("cannot be called %o", async (name) => {
    const terminal = new TestTerminal();
    const environment = { HOME: home, SVC_BASE_URL: services().here.url };
    const exitCode = await runSvc({ typed: ["login", `--profile=${name}`], environment, terminal, signal });
    expect({ exitCode, error: terminal.remarks }).toMatchObject({
      exitCode: 10,
      error: expect.stringContaining("up to 64 letters a-z, digits and -"),
    });
  });

  test("is not another one after a logout", async () => {
    const { url } = services().here;
    await svc("use @work");
    expect(await svc("logout")).toMatchObject({
      exitCode: 0,
      out: expect.stringContaining(", profile work:"),
    });
    for (const environment of [{}, { SVC_BASE_URL: url }, { SVC_PROFILE: "work" }]) {
      expect(await svc("x", environment)).toMatchObject({
        exitCode: 10,
        error: expect.stringMatching(
          /You have no profile `work`\.\nhint: There are: default, second .*, away /,
        ),
      });
    }
    expect(tokens()).toEqual({ here: [], there: [] });
    await svc("x", { SVC_PROFILE: "second" });
    await svc("x", { SVC_BASE_URL: url, SVC_PROFILE: "default" });
    expect(tokens().here).toEqual(["second-token", "unnamed-token"]);
  });
});

describe("programs and agents", () => {
  const headless = [{ SVC_SA_TOKEN: "token" }, { SVC_CLI_SESSION_TICKET: "ticket" }];

  test.for(headless)("with %o have the address and the workspace of the environment alone", async (how) => {
    const { here, there } = services();
    await svc("use @away");
    await svc("use sales");
    await svc("use @work");
    await svc("use sales");
    await svc("use @default", { SVC_BASE_URL: here.url });
    await svc("use sales", { SVC_BASE_URL: here.url });
    await svc("use @away");
    for (const profile of ["away", "work", "nobody", ""]) {
      await svc("x", { SVC_BASE_URL: here.url, SVC_PROFILE: profile, ...how });
      expect(await svc("x", { SVC_PROFILE: profile, ...how })).toMatchObject({
        exitCode: 20,
        error: expect.stringContaining("No service address"),
      });
    }
    const own = "SVC_SA_TOKEN" in how ? "token" : "unnamed-token";
    expect(tokens()).toEqual({ here: Array(4).fill(own), there: [] });
    expect(here.lines.filter(({ workspace }) => workspace !== undefined)).toEqual([]);
    expect(there.lines).toEqual([]);
  });

  test("with a token do not read the files of profiles", async () => {
    await svc("use @work");
    // Reading one of them would fail.
    for (const name of ["profile.json", "credentials.json"])
      await chmod(join(home, ".config/svc", name), 0o644);
    const environment = { SVC_PROFILE: "work", SVC_BASE_URL: services().here.url };
    expect(await svc("x", environment)).toMatchObject({ exitCode: 43 });
    expect(await svc("x", { ...environment, SVC_SA_TOKEN: "token" })).toMatchObject({ exitCode: 0 });
  });
});

describe("a workspace belongs to the profile", () => {
  test("also if two profiles have the same account", async () => {
    await svc("use sales", { SVC_PROFILE: "work" });
    await svc("use eigyo", { SVC_PROFILE: "second" });
    for (const name of ["work", "second", "away"]) await svc("x", { SVC_PROFILE: name });
    await svc("x", { SVC_BASE_URL: services().here.url });
    expect(services().here.lines.map(({ workspace }) => workspace)).toEqual(["ws_1", "ws_2", undefined]);
    expect(services().there.lines[0]).not.toHaveProperty("workspace");
    const kept = await readFile(join(home, ".config/svc/workspaces.json"), "utf8");
    expect(kept).not.toContain("token");
  });
});

describe("people see it", () => {
  const watched = () => new TestTerminal({ columns: 80, isWatched: true });

  test("after a write, if it is not the default", async () => {
    const { here } = services();
    const environment = { SVC_BASE_URL: here.url };
    expect((await svc("x", { ...environment, SVC_PROFILE: "work" }, watched())).error).toBe("");
    here.onLine = (response) => response.end(JSON.stringify(result("done", { committed: true })));
    expect((await svc("x", { ...environment, SVC_PROFILE: "work" }, watched())).error).toBe(
      "note: profile work\n",
    );
    expect((await svc("x", environment, watched())).error).toBe("");
    expect((await svc("x", { ...environment, SVC_PROFILE: "work" })).error).toBe("");
    const token = { ...environment, SVC_PROFILE: "work", SVC_SA_TOKEN: "token" };
    expect((await svc("x", token, watched())).error).toBe("");
  });

  test("in the server's text, which learns the name from a terminal only", async () => {
    const { here } = services();
    const environment = { SVC_BASE_URL: here.url };
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    await svc("x", { ...environment, SVC_PROFILE: "work" }, watched());
    await svc("x", environment, watched());
    await svc("x", { ...environment, SVC_PROFILE: "work" });
    await svc("x", { ...environment, SVC_PROFILE: "work", SVC_CLI_SESSION_TICKET: "ticket" }, watched());
    expect(here.lines.map(({ terminal }) => terminal)).toEqual([
      { columns: 80, interactive: true, styles: 1, timeZone, profile: "work" },
      { columns: 80, interactive: true, styles: 1, timeZone },
      undefined,
      { columns: 80, interactive: true, styles: 1, timeZone },
    ]);
  });
});
