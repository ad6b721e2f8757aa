import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { errorTable } from "@svc/protocol/error-table";
import { Problem } from "@svc/protocol/problem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startFixtureBackend } from "../../../testing/fixture-backend.ts";
import type { TestBackend, TestTenant } from "../../../testing/test-backend.ts";

let backend: TestBackend;
let tenant: TestTenant;
let log = "";

beforeAll(async () => {
  backend = await startFixtureBackend({
    logTo: {
      write: (line) => {
        log += line;
      },
    },
  });
  tenant = await backend.addTenant();
});
afterAll(() => backend.close());

const cli = "/api/v1/cli";
const json = "application/json";

describe.each([
  { what: "no credential", url: cli, body: "{}", token: "", code: "unauthenticated" },
  { what: "a wrong credential", url: cli, body: "{}", token: "svc_sa_x", code: "unauthenticated" },
  { what: "bad JSON", url: cli, body: "{", code: "invalid_request" },
  { what: "an empty body", url: cli, body: "", code: "invalid_request" },
  { what: "a poisoned prototype", url: cli, body: '{"__proto__":{"argv":[]}}', code: "invalid_request" },
  { what: "JSON that is not an object", url: cli, body: "[1]", code: "invalid_request" },
  { what: "an unknown field", url: cli, body: '{"argv":["help"],"admin":true}', code: "invalid_request" },
  { what: "a wrong type", url: cli, body: '{"argv":"help"}', code: "invalid_request" },
  {
    what: "different content type",
    url: cli,
    body: "<a/>",
    type: "text/xml",
    code: "unsupported_media_type",
  },
  { what: "a broken content type", url: cli, body: "{}", type: ";;", code: "unsupported_media_type" },
  { what: "a body that is too large", url: cli, body: " ".repeat(1024 * 1024 + 1), code: "too_large" },
  { what: "an unknown address", url: "/api/v2/cli", body: "{}", code: "not_found" },
  { what: "a malformed address", url: "/api/v1/%zz", body: "{}", code: "invalid_request" },
  {
    what: "an endless address",
    url: `/api/v1/downloads/${"a".repeat(9_000)}`,
    body: "{}",
    method: "GET",
    code: "too_large",
  },
  { what: "another method", url: "/api/v1/context", body: "{}", code: "method_not_allowed" },
  { what: "another method of a parameter", url: "/api/v1/uploads/x", body: "{}", code: "method_not_allowed" },
  { what: "an unknown command", url: cli, body: '{"argv":["nots"]}', code: "usage" },
  { what: "wrong arguments", url: cli, body: '{"argv":["notes","add"]}', code: "invalid_arguments" },
  { what: "a NUL", url: cli, body: '{"argv":["notes","add","a\\u0000b"]}', code: "invalid_arguments" },
  { what: "half a pair", url: cli, body: '{"argv":["notes","add","a\\ud800b"]}', code: "invalid_arguments" },
  {
    what: "a NUL in the workspace",
    url: cli,
    body: '{"argv":["notes","list"],"workspace":"\\u0000"}',
    code: "invalid_arguments",
  },
  { what: "an error of ours", url: cli, body: '{"argv":["notes","fail"]}', code: "internal" },
  { what: "a thrown text", url: cli, body: '{"argv":["notes","fail","reject-text"]}', code: "internal" },
  {
    what: "a result of ours that is wrong",
    url: cli,
    body: '{"argv":["notes","fail","wrong-result"]}',
    code: "internal",
  },
] as const)("$what", ({ url, body, code, ...sent }) => {
  test(`is answered with problem details: ${code}`, async () => {
    log = "";
    const token = "token" in sent ? sent.token : tenant.token;
    const answer = await backend.server.inject({
      method: "method" in sent ? sent.method : "POST",
      url,
      headers: {
        "content-type": "type" in sent ? sent.type : json,
        ...(token === "" ? {} : { authorization: `Bearer ${token}` }),
      },
      payload: body,
    });
    const problem = Problem.strict().parse(answer.json());
    expect(problem.code).toBe(code);
    expect(problem).toMatchObject(errorTable[code]);
    expect(answer.statusCode).toBe(errorTable[code].status);
    expect(answer.headers["content-type"]).toMatch(/^application\/problem\+json\b/);
    expect(problem.requestId).toBe(answer.headers["x-request-id"]);
    expect(answer.headers["x-svc-min-client"]).toMatch(/^\d+\.\d+\.\d+$/);
    expect(answer.body).not.toMatch(/hunter2|node_modules|\.ts\b|\\n/);
    // What the caller is not told is in the log, under the same request id; nothing else counts as unexpected.
    expect(log.includes("unexpected error")).toBe(code === "internal");
    if (code === "internal") expect(log).toContain(problem.requestId);
  });
});

test("answers an unsupported method with the supported ones", async () => {
  const answer = await backend.server.inject({ method: "DELETE", url: "/healthz" });
  expect(answer.headers.allow).toBe("GET, HEAD");
});

test("tells an unauthenticated caller how to authenticate", async () => {
  const answer = await backend.server.inject({ method: "GET", url: "/api/v1/context" });
  expect(answer.headers["www-authenticate"]).toBe("Bearer");
});

test("lists at most twenty violations of the body", async () => {
  const body = { argv: Array.from({ length: 30 }, () => 1), terminal: { columns: 0 } };
  const answer = await backend.server.inject({
    method: "POST",
    url: cli,
    headers: { authorization: `Bearer ${tenant.token}` },
    payload: body,
  });
  const { violations } = Problem.parse(answer.json());
  expect(violations).toHaveLength(20);
  expect(violations?.[0]?.argument).toBe("argv.0");
});

describe("malformed requests", () => {
  async function send(bytes: string): Promise<string> {
    const url = new URL(await listening());
    const socket = connect(Number(url.port), url.hostname);
    socket.end(bytes);
    return text(socket);
  }
  let address: string | undefined;
  async function listening(): Promise<string> {
    address ??= await backend.server.listen({ host: "127.0.0.1", port: 0 });
    return address;
  }

  test.each([
    { what: "noise", bytes: "\x16\x03\x01 hello\r\n\r\n", code: "invalid_request" },
    {
      what: "a header without end",
      bytes: `GET / HTTP/1.1\r\nx: ${"a".repeat(20_000)}\r\n\r\n`,
      code: "too_large",
    },
  ] as const)("$what is answered with problem details too", async ({ bytes, code }) => {
    const [head = "", body = ""] = (await send(bytes)).split("\r\n\r\n");
    const problem = Problem.parse(JSON.parse(body));
    expect(problem.code).toBe(code);
    expect(head).toContain(`HTTP/1.1 ${errorTable[code].status} `);
    expect(head).toContain("content-type: application/problem+json");
    expect(head).toContain(`x-request-id: ${problem.requestId}`);
  });
});
