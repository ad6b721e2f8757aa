import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { faultSize } from "@svc/testing/fault-size";
import { createTestDatabase, type TestDatabase } from "@svc/testing/test-database";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { addAdministrator } from "../../../backend/testing/administrator.ts";
import { ApiProcess } from "../../../backend/testing/processes/api-process.ts";
import { HttpCaller } from "../../../backend/testing/processes/http-caller.ts";
import { CompiledSvc } from "../../testing/compiled-svc.ts";
import { result, SampleService } from "../../testing/sample-service.ts";
import { TmuxTerminal } from "../../testing/tmux-terminal.ts";
import { completionMillis } from "./complete.ts";

const scripts = join(import.meta.dirname, "../../completions");
const shells = [
  ["bash", "bash --norc --noprofile", "source $SCRIPTS/svc.bash"],
  ["zsh", "zsh -f", "fpath=($SCRIPTS $fpath); autoload -U compinit; compinit -u -D"],
  ["fish", "fish --no-config", "source $SCRIPTS/svc.fish"],
] as const;

/** In the gate one shell does everything, and the others one thing each. */
function inGate(isInGate: boolean): { tags: string[] } {
  return { tags: isInGate ? [] : ["nightly"] };
}

let svc: CompiledSvc;
let terminal: TmuxTerminal | undefined;
beforeAll(async () => {
  svc = await CompiledSvc.build();
});
afterEach(() => terminal?.close());
afterAll(() => svc.remove());

async function open(
  [, shell, setUp]: (typeof shells)[number],
  environment: Record<string, string>,
): Promise<TmuxTerminal> {
  terminal = await TmuxTerminal.open({
    columns: 160,
    cwd: svc.folder,
    shell,
    environment: {
      HOME: svc.home,
      PATH: `${join(svc.folder, "bin")}:/usr/bin:/bin`,
      SCRIPTS: scripts,
      ...environment,
    },
  });
  await terminal.type(setUp);
  await terminal.type("clear; echo re''ady");
  await terminal.waitFor(/^ready/m);
  await terminal.type("clear");
  return terminal;
}

/** A service that says what it is told to, and remembers the lines that ran. */
describe("with a scripted service", () => {
  let service: SampleService;
  let words: string[] = [];
  let answer: Record<string, unknown> = {};
  let onCompletion: (response: ServerResponse) => void;
  const tell = (response: ServerResponse) => {
    const completions = words.map((word) => ({ word, meaning: `about ${word}` }));
    response.end(JSON.stringify({ kind: "completions", completions, maxAge: 0, ...answer }));
  };
  beforeAll(async () => {
    service = await SampleService.start();
    service.onLine = (response) => {
      if (service.lines.at(-1)?.complete) onCompletion(response);
      else response.end(JSON.stringify(result("done")));
    };
  });
  afterEach(() => {
    [words, answer, onCompletion] = [[], {}, tell];
    service.lines.length = 0;
  });
  beforeAll(() => {
    onCompletion = tell;
  });
  afterAll(() => service.stop());

  const environment = () => ({ HOME: svc.home, SVC_BASE_URL: service.url, SVC_SA_TOKEN: "t" });
  /** The line that ran, if one did. */
  const ran = () => service.lines.findLast((line) => !line.complete)?.argv;
  const completeOnce = async (line: string, more: Record<string, string> = {}) => {
    const { exitCode, out, error } = await svc.run(["", `svc ${line}`], {
      environment: { ...environment(), SVC_COMPLETE: "zsh", ...more },
    });
    expect({ exitCode, error }).toEqual({ exitCode: 0, error: "" });
    return out
      .split("\n")
      .filter(Boolean)
      .map((each) => each.split("\t")[0]?.trim());
  };
  /** On a busy machine 300 ms are short: then, like a person, once more. */
  const complete = async (...given: Parameters<typeof completeOnce>) => {
    let found = await completeOnce(...given);
    for (let times = 0; times < 50 && found.length === 0; times += 1) found = await completeOnce(...given);
    return found;
  };

  test("sends what was typed before, the word and the cursor, in one call", async () => {
    words = ["/reports/"];
    expect(await complete("gadgets lend --format json '/re")).toEqual(["/reports/"]);
    expect(service.lines[0]).toMatchObject({
      argv: ["gadgets", "lend"],
      complete: { word: "/re", offset: 3 },
      headers: { "x-svc-completion": "1" },
    });
  });

  test("this machine's verbs and flags join the server's words", async () => {
    words = ["gadgets", "update-all"];
    await expect.poll(() => complete("")).toEqual(expect.arrayContaining(["gadgets", "doctor", "use"]));
    await expect.poll(() => complete("up")).toEqual(["update-all", "update"]);
    words = ["--kind"];
    await expect
      .poll(() => complete("gadgets --"))
      .toEqual(["--kind", "--format", "--fields", "--output", "--force"]);
    words = [];
    expect(await complete("gadgets list --format ")).toEqual(["json", "table", "tsv"]);
    expect(await completeOnce("login ")).toEqual([]);
    words = ["sales"];
    expect(await complete("use s")).toEqual(["sales"]);
    expect(service.lines.at(-1)).toMatchObject({ argv: ["--workspace"], complete: { word: "s" } });
  });

  test("takes no words that a terminal would obey, and none that were not typed", async () => {
    words = ["/a\nb", "/a\u001b[31m", "/a\tb", "/a\u202eb", "rm", "/a\r", "/ab"];
    expect(await complete("ls /a")).toEqual(["/ab"]);
    words = ["/ab"];
    answer = { completions: [{ word: "/ab", meaning: "red \u001b[31m\nline" }] };
    const { out } = await svc.run(["", "svc ls /a"], {
      environment: { ...environment(), SVC_COMPLETE: "fish" },
    });
    expect(out).toBe("/ab\tred \\u{1b}[31m\\nline\n");
  });

  test("remembers an answer for as long as it may, for that line, service, account and workspace", async () => {
    words = ["/one"];
    answer = { maxAge: 60 };
    const asked = async (line: string, more: Record<string, string> = {}) => {
      const before = service.lines.length;
      await complete(line, more);
      return service.lines.length > before;
    };
    expect(await asked("remember /o")).toBe(true);
    expect(await asked("remember /o")).toBe(false);
    words = ["/other"];
    expect(await complete("remember /o")).toEqual(["/one"]);
    expect(await asked("remember /on")).toBe(true);
    expect(await asked("recall /o")).toBe(true);
    expect(await asked("remember /o", { SVC_SA_TOKEN: "another" })).toBe(true);
    expect(await asked("remember /o", { SVC_CURRENT_WORKSPACE_ID: "ws_2" })).toBe(true);
    expect(await asked("remember /o", { SVC_CLI_SESSION_TICKET: "ticket" })).toBe(true);
    expect(await asked("remember /o", { SVC_BASE_URL: service.url.replace("127.0.0.1", "localhost") })).toBe(
      true,
    );
    answer = { maxAge: 0 };
    expect(await asked("forget /o")).toBe(true);
    expect(await asked("forget /o")).toBe(true);
    const folder = join(svc.home, ".cache", "svc", "answers");
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    for (const name of await readdir(folder)) {
      expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
      expect(await readFile(join(folder, name), "utf8")).not.toMatch(/another|ticket/);
    }
  });

  test("is silent, and gives up in 300 ms, without an answer, without a login and after an error", async () => {
    expect(completionMillis).toBe(300);
    const watched = { requests: 0, closed: 0 };
    const watch = (answerTo: (response: ServerResponse) => void) => {
      Object.assign(watched, { requests: 0, closed: 0 });
      onCompletion = (response) => {
        watched.requests += 1;
        response.once("close", () => {
          watched.closed += 1;
        });
        answerTo(response);
      };
    };
    const hang = () => {};
    const cut = (response: ServerResponse) => void response.destroy();
    const fail = (response: ServerResponse) => void response.writeHead(500).end("oh");
    for (const answerTo of [hang, cut, fail]) {
      watch(answerTo);
      expect(await completeOnce("ga")).toEqual([]);
      await expect.poll(() => watched.closed).toBe(watched.requests);
      // Without the limit it would ask again after 15 s, or after a cut; a busy machine may take 300 ms to ask at all.
      expect(watched.requests).toBeLessThanOrEqual(1);
    }
    for (const change of [
      { SVC_BASE_URL: "http://127.0.0.1:1" },
      { SVC_BASE_URL: "nonsense" },
      { SVC_SA_TOKEN: "" },
    ]) {
      expect(await completeOnce("ga", change)).toEqual([]);
      // What needs no server is still there.
      expect(await complete("do", change)).toEqual(["doctor"]);
    }
  });

  /** Names that shells would expand, split or run, as the only candidate for what is typed. */
  const isFull = faultSize(1, 0) === 1;
  const names = [
    "/my files/q3 final.md",
    "/急須の写真.jpg",
    '/it\'s "quoted".md',
    "/$HOME `id` $(id).md",
    "/a*b?[c].md",
    "/a;b&c|d>e<f(g)h{i,j}#k!l^m~n\\o.md",
    "/-rf",
    "営業:/報告 書.md",
    "sales:customers",
    "rin+x@example.com",
    "Rin O'Hara",
    "=ls",
  ];

  describe.for(shells)("%s", (shell) => {
    const isBash = shell[0] === "bash";

    test("completes every name so that Enter works", async () => {
      const shown = await open(shell, environment());
      for (const name of isBash || isFull ? names : names.slice(0, 2)) {
        service.lines.length = 0;
        words = [name];
        // An unquoted `=` would be zsh's.
        const typed = name.startsWith("=") ? "" : [...name][0];
        await shown.press("-l", "--", `clear; svc show ${typed}`);
        await pressTab(shown);
        await shown.press("-l", "--", " --last");
        await shown.press("Enter");
        await expect.poll(ran).toEqual(["show", name, "--last"]);
      }
    });

    test.for(["'", '"'])("completes within %s", inGate(isBash), async (quote) => {
      const name = '/my files/it\'s $5 "net".md';
      words = [name];
      const shown = await open(shell, environment());
      await shown.press("-l", "--", `svc show ${quote}/my f`);
      await pressTab(shown);
      expect(service.lines[0]?.complete?.word).toBe("/my f");
      await shown.press("Enter");
      await expect.poll(ran).toEqual(["show", name]);
    });

    test("goes on behind a folder and behind a colon, without a space", inGate(isBash), async () => {
      const shown = await open(shell, environment());
      words = ["営業:/"];
      await shown.press("-l", "--", "svc show 営");
      await pressTab(shown);
      await shown.waitFor(/show 営業:\/$/m);
      words = ["営業:/my reports/"];
      await shown.press("-l", "--", "my");
      await pressTab(shown);
      await shown.waitFor(/show .*reports.*\/'?$/m);
      words = ["営業:/my reports/q3.md"];
      await shown.press("-l", "--", "q");
      await pressTab(shown);
      await shown.waitFor(/q3\.md/);
      await shown.settle();
      await shown.press("Enter");
      await expect.poll(ran).toEqual(["show", "営業:/my reports/q3.md"]);
    });

    test("shows several, and completes what they share", inGate(isBash), async () => {
      words = ["/reports/", "/reports-old/"];
      const shown = await open(shell, environment());
      await shown.press("-l", "--", "svc show /r");
      await pressTab(shown);
      await shown.waitFor(/show \/reports/);
      await pressTab(shown);
      await shown.waitFor(/reports-old/);
    });

    test("completes local files in a clear form", inGate(isBash), async () => {
      answer = { files: true };
      await writeFile(join(svc.folder, "quarterly $1 it's.pdf"), "");
      await mkdir(join(svc.folder, "quarry"), { recursive: true });
      for (const [typed, expected] of [
        ["quart", /^(\.\/|file:)quarterly \$1 it's\.pdf$/],
        ["./quart", /^\.\/quarterly \$1 it's\.pdf$/],
        ["./quarr", /^\.\/quarry\/$/],
      ] as const) {
        service.lines.length = 0;
        const shown = await open(shell, environment());
        await shown.press("-l", "--", `svc show ${typed}`);
        await pressTab(shown);
        await shown.press("Enter");
        await expect.poll(() => ran()?.at(-1)).toMatch(expected);
        await shown.close();
      }
    });
  });
});

describe("with the service", () => {
  let testDatabase: TestDatabase;
  let api: ApiProcess;
  let token: string;
  let helper: string;
  beforeAll(async () => {
    testDatabase = await createTestDatabase();
    token = await addAdministrator(testDatabase.adminUrl);
    api = await ApiProcess.prepare(testDatabase.appUrl, {});
    await api.start();
    const caller = new HttpCaller(api.address, token);
    for (const line of [
      ["workspaces", "create", "Sales"],
      ["workspaces", "create", "営業"],
      ["files", "mkdir", "sales:/My Reports"],
      ["files", "mkdir", "sales:/My Reports/it's 急須"],
      ["files", "mkdir", "営業:/報告"],
      ["collections", "create", "Key Customers", "--field", "name:text", "--workspace", "sales"],
      ["groups", "create", "The Team"],
    ]) {
      expect((await caller.post({ argv: line })).status).toBe(200);
    }
    // Somebody with a single operation.
    const { body } = await caller.post({ argv: ["tokens", "create", "helper"] });
    helper = (body.data as { token: string }).token;
    await caller.post({ argv: ["members", "add", "helper", "--role", "editor", "--workspace", "sales"] });
    await new HttpCaller(api.address, helper).post({ argv: ["files", "mkdir", "sales:/Helped"] });
  });
  afterAll(async () => {
    await api?.close();
    await testDatabase?.drop();
  });

  /** What is typed, Tab where there is a tab, and what the screen shows after Enter. */
  const lines = [
    ["svc file\tsta\t/My\tit\t", /"path": "\/My Reports\/it's 急須"/],
    ["svc ls 営\t", /"name": "報告"/],
    ["svc collec\tdesc\tkey\t", /"name": "Key Customers"/],
    ["svc workspaces get sal\t", /"slug": "sales"/],
    ["svc groups show The\t", /"group": "The Team"/],
    ["svc access check / hel\t", /"person": "helper"/],
    ["svc files find / --type fol\t", /"path": "\/My Reports"/],
    ["svc undo \t--dry-run ", /"name": "\/Helped"/],
  ] as const;

  describe.for(shells)("%s", (shell) => {
    test.for(lines)("%s", inGate(shell[0] === "bash"), async ([typed, shown]) => {
      const isHelper = typed.startsWith("svc undo");
      const environment = { SVC_BASE_URL: api.address, SVC_SA_TOKEN: isHelper ? helper : token };
      const screen = await open(shell, { ...environment, SVC_CURRENT_WORKSPACE_ID: "sales" });
      for (const part of typed.split(/(\t)/)) {
        if (part !== "\t") await screen.press("-l", "--", part);
        else {
          await pressTab(screen);
        }
      }
      await screen.press("-l", "--", " --format json");
      await screen.press("Enter");
      await screen.waitFor(shown);
    });
  });
});

/** svc gives up after 300 ms, also on a busy machine: then, like a person, once more. */
async function pressTab(shown: TmuxTerminal): Promise<void> {
  await shown.settle();
  const before = await shown.screen();
  for (let times = 0; times < 30; times += 1) {
    await shown.press("Tab");
    await shown.settle();
    if ((await shown.screen()) !== before) return;
  }
  throw new Error(`nothing was completed:\n${before}`);
}
