import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { CompiledSvc } from "../../testing/compiled-svc.ts";
import { SampleService } from "../../testing/sample-service.ts";
import { TmuxTerminal } from "../../testing/tmux-terminal.ts";
import { completionMillis } from "./complete.ts";

const scripts = join(import.meta.dirname, "../../completions");
const command = (path: string, flags: string[] = []) => ({
  path,
  group: path.split(" ")[0],
  summary: `About ${path}`,
  arguments: flags.map((flag) => ({
    flag,
    description: `The ${flag}`,
    ...(flag === "--kind" ? { choices: ["red", "rose"] } : {}),
  })),
});
const commands = [
  { ...command("gadgets list", ["--kind", "--size"]), aliases: ["gl"] },
  { ...command("gadgets lend", ["--to"]), isDefault: true },
  command("sprocket"),
];

let svc: CompiledSvc;
let service: SampleService;
let terminal: TmuxTerminal | undefined;
beforeAll(async () => {
  [svc, service] = await Promise.all([CompiledSvc.build(), SampleService.start()]);
  service.onLine = (response) => {
    const groups = Object.entries(Object.groupBy(commands, ({ group }) => String(group)));
    const tree = {
      categories: [{ category: "All", groups: groups.map(([group, below]) => ({ group, commands: below })) }],
    };
    response.end(JSON.stringify({ kind: "help", tree, text: "" }));
  };
});
afterEach(() => terminal?.close());
afterAll(async () => {
  service.stop();
  await svc.remove();
});

const environment = () => ({ HOME: svc.home, SVC_BASE_URL: service.url, SVC_SA_TOKEN: "t" });
const complete = async (...words: string[]) => {
  const { exitCode, out, error } = await svc.run(words, {
    environment: { ...environment(), SVC_COMPLETE: "1" },
  });
  expect({ exitCode, error }).toEqual({ exitCode: 0, error: "" });
  return out
    .split("\n")
    .filter(Boolean)
    .map((line) => line.split("\t")[0]);
};

test("the server's groups, commands, flags and choices, and this machine's verbs", async () => {
  expect(await complete("")).toEqual(expect.arrayContaining(["gadgets", "sprocket", "doctor", "use"]));
  expect(await complete("do")).toEqual(["doctor"]);
  expect(await complete("gadgets", "l")).toEqual(["list", "lend"]);
  expect(await complete("gadgets", "list", "--")).toEqual(["--kind", "--size"]);
  expect(await complete("gadgets", "list", "--kind", "r")).toEqual(["red", "rose"]);
  expect(await complete("gadgets", "list", "--format", "")).toEqual(["json", "table", "tsv"]);
  expect(await complete("use", "s")).toEqual(["sales"]);
});

test("short words, their flags, and the flags of a default command", async () => {
  expect(await complete("g")).toEqual(["gadgets", "gl"]);
  expect(await complete("gl", "--")).toEqual(["--kind", "--size"]);
  expect(await complete("gl", "--kind", "r")).toEqual(["red", "rose"]);
  expect(await complete("gadgets", "something", "--")).toEqual(["--to"]);
});

test("a workspace whose short name is ambiguous is completed by its id", async () => {
  const { workspaces } = service.context;
  workspaces.push({ id: "ws_3", name: "Sales", slug: "sales", role: "reader" });
  expect(await complete("use", "ws_")).toEqual(["ws_1", "ws_3"]);
  expect(await complete("use", "s")).toEqual([]);
  workspaces.pop();
});

test("is silent, and waits for less than a second, without an answer, without a login and after an error", async () => {
  expect(completionMillis).toBeLessThan(1_000);
  const stalled = await WatchedService.start(() => {});
  const cutting = await WatchedService.start((response) => response.destroy());
  const cases = [
    { SVC_BASE_URL: stalled.url },
    { SVC_BASE_URL: cutting.url },
    { SVC_BASE_URL: "http://127.0.0.1:1" },
    { SVC_BASE_URL: "nonsense" },
    { SVC_SA_TOKEN: "" },
  ];
  for (const change of cases) {
    const printed = await svc.run(["ga"], {
      environment: { ...environment(), ...change, SVC_COMPLETE: "1" },
    });
    expect(printed).toMatchObject({ exitCode: 0, out: "", error: "" });
  }
  for (const watched of [stalled, cutting]) {
    expect(watched.requests).toBeGreaterThan(0);
    await expect.poll(() => watched.closed).toBe(watched.requests);
    // Without a limit, it would wait for 15 s, and retry after a cut.
    expect(watched.millis).toBeLessThan(completionMillis + 5_000);
  }
  stalled.stop();
  cutting.stop();
});

/**
 * Sees how long a client keeps asking: from its first request until the last connection closes. The time that a busy
 * machine takes to start and end the client does not count.
 */
class WatchedService {
  requests = 0;
  closed = 0;
  millis = 0;
  readonly url: string;
  readonly stop: () => void;

  private constructor(service: SampleService, answer: SampleService["onLine"]) {
    this.url = service.url;
    this.stop = () => service.stop();
    let first: number | undefined;
    service.onLine = (response, request) => {
      first ??= performance.now();
      const began = first;
      this.requests += 1;
      response.once("close", () => {
        this.closed += 1;
        this.millis = performance.now() - began;
      });
      answer(response, request);
    };
  }

  static async start(answer: SampleService["onLine"]): Promise<WatchedService> {
    return new WatchedService(await SampleService.start(), answer);
  }
}

const shells = [
  ["bash", "bash --norc --noprofile", "source $SCRIPTS/svc.bash"],
  ["zsh", "zsh -f", "fpath=($SCRIPTS $fpath); autoload -U compinit; compinit -u -D"],
  ["fish", "fish --no-config", "source $SCRIPTS/svc.fish"],
] as const;

async function pressTab(shell: string, setUp: string, line: string): Promise<TmuxTerminal> {
  terminal = await TmuxTerminal.open({
    cwd: svc.folder,
    shell,
    environment: { ...environment(), PATH: `${join(svc.folder, "bin")}:/usr/bin:/bin`, SCRIPTS: scripts },
  });
  await terminal.type(setUp);
  await terminal.press("-l", line);
  await terminal.press("Tab");
  return terminal;
}

test.for(shells)("%s completes a word on Tab", async ([, shell, setUp]) => {
  await (await pressTab(shell, setUp, "svc spro")).waitFor(/svc sprocket/);
});

test.for(shells)("%s completes local files in a clear form", async ([, shell, setUp]) => {
  await writeFile(join(svc.folder, "quarterly.pdf"), "");
  await (await pressTab(shell, setUp, "svc gadgets lend quart")).waitFor(/lend (\.\/|file:)quarterly\.pdf/);
  await terminal?.close();
  await (await pressTab(shell, setUp, "svc gadgets lend ./quart")).waitFor(/lend \.\/quarterly\.pdf/);
});
