import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { safeName } from "@svc/machine/files/safe-name";
import { faultSize } from "@svc/testing/fault-size";
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { forbiddenIn, hostileText } from "../../../../packages/rendering/testing/hostile-text.ts";
import { FakeService, result } from "../../testing/fake-service.ts";
import { TestTerminal } from "../../testing/test-terminal.ts";
import { ProgressLine } from "../progress-line.ts";
import { runSvc } from "../run-svc.ts";

let service: FakeService;
let answer: unknown;
let status: number;
let home: string;
beforeAll(async () => {
  service = await FakeService.start((request, response) => {
    if (request.url === "/file") return void response.end("content");
    response.writeHead(request.url === "/api/v1/cli" ? status : 200).end(JSON.stringify(answer));
  });
});
afterAll(() => service.stop());
beforeEach(async () => {
  status = 200;
  home = await mkdtemp(join(tmpdir(), "svc-hostile-"));
});
afterEach(() => rm(home, { recursive: true }));

/** Types a line; its output must not contain anything that a terminal obeys. */
async function svc(typed: string[]): Promise<{ out: string; error: string; exitCode: number }> {
  const terminal = new TestTerminal({ columns: 60 });
  const environment = { HOME: home, ...service.environment };
  const exitCode = await runSvc({ typed, environment, terminal, signal: new AbortController().signal });
  const [out, error] = [terminal.printed.toString(), terminal.remarks];
  expect({ out: forbiddenIn(out), error: forbiddenIn(error) }).toEqual({ out: [], error: [] });
  return { out, error, exitCode };
}

const each = (work: (text: string, other: string) => Promise<void>) =>
  fc.assert(fc.asyncProperty(hostileText, hostileText, work), { numRuns: faultSize(100, 30) });

test("the server's own text, notices and operation", () =>
  each(async (text, other) => {
    answer = { ...result, text, notices: [other], operation: other };
    await svc(["x"]);
    answer = { ...result, data: { items: [], nextCursor: text }, operation: other };
    await svc(["x", "--format", "table"]);
  }));

test("a problem, for people and for programs, which get exactly what was sent", () =>
  each(async (detail, hint) => {
    status = 404;
    const violations = [{ argument: hint, message: detail }];
    const problem = { type: detail, title: hint, status, code: "not_found", detail, hint, violations };
    answer = { ...problem, exitCode: 21, requestId: detail };
    expect((await svc(["x"])).exitCode).toBe(21);
    const { error } = await svc(["x", "--format", "json"]);
    expect(JSON.parse(error)).toEqual({
      error: { code: "not_found", detail, hint, exitCode: 21, requestId: detail, violations },
    });
    answer = { ...problem, exitCode: 33, requestId: detail };
    await svc(["x"]);
  }));

test("data as JSON is what was sent, whatever it contains", () =>
  each(async (text, other) => {
    const data = { items: [{ [text]: other, list: [text, { [other]: text }] }], [other]: text };
    answer = { ...result, data };
    const { out } = await svc(["x", "--format", "json"]);
    expect(JSON.parse(out)).toEqual(JSON.parse(JSON.stringify(data)));
  }));

test("a table has one line per row, even with hostile headings and dropped columns", () =>
  each(async (text, other) => {
    const rows = [{ name: text, tags: [other, { x: text }] }, { name: other }];
    const columns = [
      { field: "name", label: text, align: "left", priority: 1 },
      { field: "tags", label: other, align: "right", priority: 0 },
    ];
    answer = { ...result, data: { items: rows }, columns };
    const { out } = await svc(["x", "--format", "table"]);
    expect(out.trimEnd().split("\n").length).toBeLessThanOrEqual(4);
    answer = { ...result, data: { items: [{ [text]: other }] } };
    expect((await svc(["x", "--format", "table"])).out.split("\n")).toHaveLength(3);
    answer = { ...result, data: { [text]: other } };
    expect((await svc(["x", "--format", "table"])).out.split("\n")).toHaveLength(3);
  }));

test("tsv has one line for each row and one tab between two values", () =>
  each(async (text, other) => {
    answer = {
      ...result,
      data: {
        items: [
          { a: text, b: { [other]: text } },
          { a: other, b: [text] },
        ],
      },
    };
    const { out } = await svc(["x", "--format", "tsv"]);
    const lines = out.split("\n");
    expect(lines.map((line) => line.split("\t").length)).toEqual([2, 2, 1]);
  }));

test.for(["tsv", "table"])("an empty last row is still a line of a %s", async (format) => {
  answer = { ...result, data: { items: [{ a: "x" }, { a: " " }] } };
  const { out } = await svc(["x", "--format", format, "--fields", "a"]);
  expect(out.split("\n").slice(-3)).toEqual(["x", format === "tsv" ? " " : "", ""]);
});

test("so is a single empty value of a tsv", async () => {
  answer = { ...result, data: { items: [{ a: "" }] } };
  expect((await svc(["x", "--format", "tsv"])).out).toBe("\n");
});

test("an unknown field is answered with the known ones", () =>
  each(async (text, other) => {
    answer = { ...result, data: { items: [{ [text]: { [other]: 1 } }] } };
    await svc(["x", "--fields", "no such field"]);
  }));

test("help", () =>
  each(async (text) => {
    const tree = { categories: [{ category: text, groups: [] }] };
    answer = { kind: "help", tree, text };
    await svc(["help"]);
    expect(JSON.parse((await svc(["help", "--format", "json"])).out)).toEqual(tree);
  }));

test("the name of a saved file leads nowhere else, and is printed safely", () =>
  each(async (name) => {
    const folder = await mkdtemp(join(home, "saved-"));
    const sha256 = createHash("sha256").update("content").digest("hex");
    answer = { kind: "file", name, size: 7, sha256, mediaType: name, href: "/file" };
    const { exitCode, out } = await svc(["x", "--output", folder]);
    const [saved = "", ...others] = await readdir(folder);
    // A hidden name that nobody typed, and git's own, are refused: 13-downloaded-names has the rules.
    const isHidden = /^(\.|git~)/i.test(safeName(name).replace(/\p{Default_Ignorable_Code_Point}/gu, ""));
    if (exitCode === 20) {
      expect({ isHidden, saved }).toEqual({ isHidden: true, saved: "" });
      return;
    }
    expect({ exitCode, lines: out.split("\n").length }).toEqual({ exitCode: 0, lines: 2 });
    expect(others).toEqual([]);
    expect(saved).not.toMatch(/[\p{Control}/\\]/u);
    expect(await readFile(join(folder, saved), "utf8")).toBe("content");
  }));

test("use: names of workspaces", () =>
  each(async (name, other) => {
    answer = {
      actor: { id: "u", kind: "human", name },
      tenant: { id: "t", name },
      credential: { kind: "access_token" },
      workspaces: [{ id: "ws_1", name, slug: "one", role: other }],
      server: { version: other, time: other, minimumClient: "0" },
    };
    expect((await svc(["use", "one"])).out.split("\n")).toHaveLength(2);
    const { out } = await svc(["use", "one", "--format", "json"]);
    expect(JSON.parse(out)).toEqual({ id: "ws_1", name });
    await svc(["use", `no ${other}`]);
  }));

test("progress is one line, whatever the name", async () => {
  await each(async (label, unit) => {
    const written: string[] = [];
    const terminal = Object.assign(new TestTerminal({ columns: 40, isWatched: true }), {
      error: async (text: string) => void written.push(text),
    });
    const progress = new ProgressLine(terminal);
    progress.show({ label, unit, done: 1, total: 2 });
    progress.say(label);
    for (const line of written) {
      expect(line.startsWith("\r") && line.endsWith("\u001b[K")).toBe(true);
      const inner = line.slice(1, -3);
      expect(forbiddenIn(inner)).toEqual([]);
      expect(inner).not.toMatch(/[\n\t]/);
    }
  });
});
