import type { ServerResponse } from "node:http";
import { afterEach, beforeEach, expect, test } from "vitest";
import { forbiddenIn } from "../../../../packages/rendering/testing/hostile-text.ts";
import { result, SampleService } from "../../testing/sample-service.ts";
import { TestTerminal } from "../../testing/test-terminal.ts";
import { runSvc } from "../run-svc.ts";

let service: SampleService;
beforeEach(async () => {
  service = await SampleService.start();
});
afterEach(() => service.stop());

async function svc(typed: string[], columns?: number) {
  const terminal = new TestTerminal(columns === undefined ? {} : { columns });
  const environment = {
    SVC_BASE_URL: service.url,
    SVC_SA_TOKEN: "t",
    HOME: "/nowhere",
    XDG_CONFIG_HOME: "/sys",
  };
  const exitCode = await runSvc({ typed, environment, terminal, signal: new AbortController().signal });
  return { exitCode, out: terminal.printed.toString(), error: terminal.remarks };
}

const columns = [{ field: "name", label: "name", align: "left", priority: 0 }];
const data = [
  { kind: "page", items: [{ name: "a" }, { name: "b" }], columns, next: "after b" },
  { kind: "page", items: [{ name: "longer", only: "here" }], columns, next: "after longer" },
  { kind: "page", items: [{ name: "d" }], columns },
];
const end = { ...result(""), text: undefined, data: { total: 4 } };
const write = (response: ServerResponse, answers: readonly unknown[]) =>
  response.write(answers.map((answer) => `${JSON.stringify(answer)}\n`).join(""));

test.for([
  [
    ["--format", "json"],
    `${JSON.stringify({ items: data.flatMap(({ items }) => items), total: 4 }, null, 2)}\n`,
  ],
  [["--format", "tsv"], "a\nb\nlonger\nd\n"],
  [["--format", "table"], "NAME\na\nb\nlonger\nd\n"],
  [["--fields", "name"], "NAME\na\nb\nlonger\nd\n"],
  [["--format", "json", "--fields", "name"], expect.stringContaining('"name": "longer"\n    },\n    {')],
] as const)("pages are together one answer: %j", async ([flags, out]) => {
  service.onLine = (response) => {
    write(response, [...data, end]);
    response.end();
  };
  expect(await svc(["list", "--all", ...flags])).toEqual({ exitCode: 0, out, error: "" });
});

test("on a terminal, later rows keep the widths of the first page", async () => {
  service.onLine = (response) => {
    write(response, [...data, end]);
    response.end();
  };
  expect((await svc(["list", "--all", "--format", "table"], 80)).out).toBe("NAME\na\nb\nlon…\nd\n");
});

test("text comes as the server laid it out, without anything that a terminal obeys", async () => {
  service.onLine = (response) => {
    write(response, [{ kind: "page", text: "NAME\na\u001b[31m" }, result("(not shown: Id)")]);
    response.end();
  };
  const { out } = await svc(["list", "--all"], 80);
  expect(out).toBe("NAME\na\\u{1b}[31m\n(not shown: Id)\n");
  expect(forbiddenIn(out)).toEqual([]);
});

test("a broken connection is continued after the last page that arrived: no row twice, none missing", async () => {
  service.onLine = (response) => {
    const { after } = service.lines.at(-1) ?? {};
    const from = after === undefined ? 0 : data.findIndex(({ next }) => next === after) + 1;
    const isLast = from === data.length - 1;
    write(response, isLast ? [data[from], end] : [data[from]]);
    if (isLast) response.end();
    else response.write('{"kind":"page","items":[{"na', () => response.destroy());
  };
  expect(await svc(["list", "--all", "--format", "tsv"])).toEqual({
    exitCode: 0,
    out: "a\nb\nlonger\nd\n",
    error: "",
  });
  expect(service.lines.map(({ after }) => after)).toEqual([undefined, "after b", "after longer"]);
});

test("a process that shuts down hands over to the next one", async () => {
  const problem = { type: "t", title: "t", status: 503, code: "unavailable", detail: "d", exitCode: 30 };
  service.onLine = (response) => {
    const isFirst = service.lines.length === 1;
    write(response, isFirst ? [data[0], { kind: "problem", ...problem, requestId: "r" }] : [data[2], end]);
    response.end();
  };
  expect((await svc(["list", "--all", "--format", "tsv"])).out).toBe("a\nb\nd\n");
  expect(service.lines.map(({ after }) => after)).toEqual([undefined, "after b"]);
});

test("if all pages have arrived but not the end, nothing is asked for again and it fails", async () => {
  service.onLine = (response) => {
    write(response, data);
    response.end();
  };
  const { exitCode, out } = await svc(["list", "--all", "--format", "tsv"]);
  expect([out, service.lines.length]).toEqual(["a\nb\nlonger\nd\n", 1]);
  expect(exitCode).toBeGreaterThan(0);
});
