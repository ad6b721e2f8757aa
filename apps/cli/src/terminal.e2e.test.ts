import { createHash, randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { CompiledSvc } from "../testing/compiled-svc.ts";
import { result, SampleService } from "../testing/sample-service.ts";
import { TmuxTerminal } from "../testing/tmux-terminal.ts";

let svc: CompiledSvc;
let service: SampleService;
let terminal: TmuxTerminal;
beforeAll(async () => {
  [svc, service] = await Promise.all([CompiledSvc.build(), SampleService.start()]);
});
afterEach(() => terminal.close());
afterAll(async () => {
  service.stop();
  await svc.remove();
});

async function open(columns: number, more: Record<string, string> = {}): Promise<void> {
  const environment = {
    HOME: svc.home,
    PATH: `${join(svc.folder, "bin")}:/usr/bin:/bin`,
    SVC_BASE_URL: service.url,
    SVC_SA_TOKEN: "t",
    ...more,
  };
  terminal = await TmuxTerminal.open({ columns, cwd: svc.folder, environment });
  await terminal.waitFor(/\$/);
}

const items = [
  { name: "報告書.pdf", size: 1_024, owner: "Rin" },
  { name: "🦊 notes.md", size: 7, owner: "José" },
];
const columns = [
  { field: "name", label: "name", align: "left", priority: 2 },
  { field: "size", label: "size", align: "right", priority: 1 },
  { field: "owner", label: "owner", align: "left", priority: 0 },
];

test("a table fits the terminal, with wide characters in their columns, and says what it left out", async () => {
  service.onLine = (response) =>
    response.end(JSON.stringify({ ...result(""), text: undefined, data: { items }, columns }));
  await open(60);
  await terminal.type("svc things --format table");
  expect(await terminal.waitFor(/notes.*\n\$/)).toContain(
    ["NAME         SIZE  OWNER", "報告書.pdf   1024  Rin", "🦊 notes.md     7  José"].join("\n"),
  );
  await terminal.close();
  await open(22);
  await terminal.type("clear; svc things --format table");
  const narrow = await terminal.waitFor(/narrow/);
  expect(narrow).not.toContain("Rin");
  expect(narrow.replaceAll("\n", "")).toContain("(not shown, terminal too narrow: owner)");
});

test("a bar is drawn while a file arrives, and removed when it is complete", async () => {
  const content = randomBytes(2_000_000);
  const sha256 = createHash("sha256").update(content).digest("hex");
  const file = { kind: "file", name: "film.bin", size: content.length, sha256, mediaType: "x/y", href: "/d" };
  service.onLine = (response) => response.end(JSON.stringify(file));
  const seen = Promise.withResolvers<void>();
  service.onFetch = async (response) => {
    response.write(content.subarray(0, 1_000_000));
    await seen.promise;
    response.end(content.subarray(1_000_000));
  };
  await open(90);
  await terminal.type("svc get it");
  expect(await terminal.waitFor(/1\.0 of 2\.0 MB/)).toMatch(
    /Receiving {2}film\.bin {2}━{12}─{12} {3}50 % {2}1\.0 of 2\.0 MB/,
  );
  seen.resolve();
  const after = await terminal.waitFor(/Saved/);
  expect(after).not.toContain("Receiving");
});

test("Ctrl-C ends it at once with 130, and the server is told", async () => {
  const [asked, closed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  service.onLine = (response) => {
    response.once("close", closed.resolve);
    asked.resolve();
  };
  await open(90);
  await terminal.type("svc something slow; echo ended with $?");
  await asked.promise;
  await terminal.press("C-c");
  await closed.promise;
  expect(await terminal.waitFor(/ended with \d+\n/)).toMatch(/error: Interrupted\.\nended with 130/);
});

test("an error is short, says what to do, and goes to standard error", async () => {
  await open(110, { SVC_BASE_URL: "http://127.0.0.1:1" });
  await terminal.type("svc things list > out.txt; wc -c < out.txt");
  expect(await terminal.waitFor(/\n0\n/)).toContain(
    "error: 127.0.0.1:1 refuses the connection.\nhint: Check the address and your network; `svc doctor` checks each step.",
  );
});

test("a wrong word has carets below it, also behind wide characters", async () => {
  const violations = [{ argument: "--limit", message: "takes a number, not `foo`", word: 3 }];
  const problem = {
    ...{ kind: "problem", type: "t", title: "t", status: 400, code: "invalid_arguments", exitCode: 20 },
    ...{
      detail: "--limit takes a number, not `foo`.",
      hint: "svc things --help",
      requestId: "r",
      violations,
    },
  };
  service.onLine = (response) => response.end(JSON.stringify(problem));
  await open(60);
  await terminal.type("svc things /急須 --limit foo");
  expect(await terminal.waitFor(/hint/)).toContain(
    [
      "error: --limit takes a number, not `foo`.",
      "  svc things /急須 --limit foo",
      "                           ^^^",
      "hint: svc things --help",
    ].join("\n"),
  );
  await terminal.close();
  await open(26);
  await terminal.type("clear; svc things /急須 --limit foo");
  expect(await terminal.waitFor(/hint/)).not.toContain("^");
});

test("a pipe gets only the result: all of it, without width or escape sequences", async () => {
  service.onLine = (response) =>
    response.end(JSON.stringify({ ...result(""), text: undefined, data: { items }, columns }));
  await open(22);
  await terminal.type(
    "svc things --format table | cat -v | wc -l; svc things --format table | tail -1 | grep -c José",
  );
  await terminal.waitFor(/\n3\n1\n/);
  expect(service.lines.at(-1)).not.toHaveProperty("terminal");
});

test("doctor shows its steps, and mount hands the terminal over", async () => {
  await open(110);
  await writeFile(
    join(svc.folder, "bin", "svc-agent"),
    '#!/bin/sh\ntest -t 0 && echo "agent waits" && read -r word && echo "agent got $word"\n',
    { mode: 0o755 },
  );
  await terminal.type("svc mount");
  // Before that, bash may still hold the terminal in raw mode, where Enter ends no line.
  await terminal.waitFor(/agent waits/);
  await terminal.type("typed");
  await terminal.waitFor(/agent got typed/);
  await terminal.type("clear; svc use eigyo; svc doctor");
  const screen = await terminal.waitFor(/Fix this first/);
  expect(screen).toMatch(/営業 {2}ws_2\nsvc \d+\.\d+\.\d+ on linux/);
  expect(screen).toMatch(/ {2}ok {4}tcp {15}127\.0\.0\.1:\d+ accepted the connection within \d+ ms/);
  expect(screen).not.toContain("Looking at");
});
