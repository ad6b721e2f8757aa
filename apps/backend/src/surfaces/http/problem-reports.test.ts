import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { startFixtureBackend } from "../../../testing/fixture-backend.ts";
import type { TestBackend, TestTenant } from "../../../testing/test-backend.ts";

type Line = Record<string, unknown>;

let backend: TestBackend;
let tenant: TestTenant;
let lines: Line[] = [];

beforeAll(async () => {
  backend = await startFixtureBackend({ logTo: { write: (line) => void lines.push(JSON.parse(line)) } });
  tenant = await backend.addTenant();
});
afterAll(() => backend.close());
beforeEach(() => {
  backend.server.problemReports.flush();
  lines = [];
});

const warn = 40;
const error = 50;
const failures = () => lines.filter(({ level }) => Number(level) >= warn);
const answers = () => lines.filter(({ msg }) => msg === "answered");

/** Returns the id of the request, which is the answer's. */
async function type(argv: string[], headers: Record<string, string> = {}): Promise<string> {
  const answer = await backend.server.inject({
    method: "POST",
    url: "/api/v1/cli",
    headers: { authorization: `Bearer ${tenant.token}`, ...headers },
    payload: { argv, want: "data" },
  });
  return String(answer.headers["x-request-id"]);
}

test.for([
  ["an answer", 500, {}],
  ["the last line of a stream, whose status is 200", 200, { accept: "application/x-ndjson" }],
] as const)("a failure in %s is one line that says everything", async ([, status, headers]) => {
  const requestId = await type(["notes", "fail"], headers);
  const command = "notes fail";
  const err = expect.objectContaining({ message: expect.any(String), stack: expect.any(String) });
  expect(failures()).toEqual([
    expect.objectContaining({ level: error, code: "internal", command, requestId, tenant: tenant.id, err }),
  ]);
  expect(answers()).toEqual([expect.objectContaining({ status, code: "internal", command, requestId })]);
});

test.for([
  ["an answer", 400, {}],
  ["a stream", 200, { accept: "application/x-ndjson" }],
] as const)(
  "the mistake of a caller is a code in the line of its request, in %s",
  async ([, status, headers]) => {
    const requestId = await type(["notes", "add"], headers);
    expect(failures()).toEqual([]);
    expect(answers()).toEqual([expect.objectContaining({ status, code: "invalid_arguments", requestId })]);
  },
);

test("failures of one kind are one line and a count, which is written at the latest when the server closes", async () => {
  for (let times = 0; times < 5; times += 1) await type(["notes", "fail"]);
  await type(["notes", "fail", "reject-text"]);
  expect(failures().map(({ suppressed }) => suppressed)).toEqual([undefined, undefined]);
  backend.server.problemReports.flush();
  expect(failures().at(-1)).toMatchObject({ code: "internal", command: "notes fail", suppressed: 3 });
});

test("every line about a request calls its id requestId", async () => {
  await type(["notes", "slow", "hello"], { "x-tenant-id": randomUUID() });
  expect(lines.length).toBeGreaterThan(2);
  for (const line of lines) expect(line).toEqual(expect.objectContaining({ requestId: expect.any(String) }));
  expect(JSON.stringify(lines)).not.toContain("reqId");
});
