import { HelpTree } from "@svc/protocol/help";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startFixtureBackend } from "../../../testing/fixture-backend.ts";
import type { TestBackend, TestTenant } from "../../../testing/test-backend.ts";

let backend: TestBackend;
let tenant: TestTenant;

beforeAll(async () => {
  backend = await startFixtureBackend();
  tenant = await backend.addTenant();
});
afterAll(() => backend.close());

function manifest(headers: Record<string, string> = {}) {
  return backend.server.inject({
    method: "GET",
    url: "/api/v1/commands",
    headers: { authorization: `Bearer ${tenant.token}`, ...headers },
  });
}

test("contains every command, as in help", async () => {
  const answer = await manifest();
  expect(answer.statusCode).toBe(200);
  const tree = HelpTree.parse(answer.json());
  const paths = tree.categories.flatMap(({ groups }) =>
    groups.flatMap(({ commands }) => commands.map(({ path }) => path)),
  );
  expect(paths).toEqual([
    "notes add",
    "notes attach",
    "notes drop",
    "notes fail",
    "notes fetch",
    "notes list",
    "notes slow",
    "notes where",
  ]);
});

test("is sent once: a client that has it gets 304 without a body", async () => {
  const { etag = "" } = (await manifest()).headers as { etag?: string };
  expect(etag).toMatch(/^"[\w-]{43}"$/);
  for (const held of [etag, `W/${etag}`, `"other", ${etag}`]) {
    const answer = await manifest({ "if-none-match": held });
    expect([answer.statusCode, answer.body]).toEqual([304, ""]);
    expect(answer.headers.etag).toBe(etag);
  }
  expect((await manifest({ "if-none-match": '"other"' })).statusCode).toBe(200);
});
