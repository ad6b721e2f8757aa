import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { text } from "node:stream/consumers";
import { afterEach, describe, expect, test } from "vitest";
import { TestTerminal } from "../testing/test-terminal.ts";
import { runSvc } from "./run-svc.ts";

interface Received {
  method: string | undefined;
  url: string | undefined;
  headers: IncomingMessage["headers"];
  body: unknown;
}

let close: (() => void) | undefined;
afterEach(() => close?.());

/** A server that always answers the same, and records its requests. */
async function serve(status: number, body: unknown): Promise<{ baseUrl: string; received: Received[] }> {
  const received: Received[] = [];
  const server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
    const { method, url, headers } = request;
    received.push({ method, url, headers, body: JSON.parse(await text(request)) });
    response.writeHead(status, { "content-type": "application/json" });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  close = () => server.close();
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}

async function svc(typed: string[], environment: NodeJS.ProcessEnv, isWatched = false) {
  const terminal = new TestTerminal({ columns: 100, isWatched });
  const signal = new AbortController().signal;
  const exitCode = await runSvc({ typed, environment: { HOME: tmpdir(), ...environment }, terminal, signal });
  return { exitCode, out: terminal.printed.toString(), error: terminal.remarks };
}

const result = { kind: "result", exitCode: 0, data: { a: 1 }, committed: false, notices: [] };

test("forwards the line unchanged, with a fresh idempotency key and no tenant", async () => {
  const { baseUrl, received } = await serve(200, { ...result, text: "done" });
  const argv = ["files", "move", "a b", "--x=1", "--dry-run", "--", "-y"];
  const environment = { SVC_BASE_URL: baseUrl, SVC_SA_TOKEN: "secret" };
  expect(await svc(argv, environment)).toEqual({ exitCode: 0, out: "done\n", error: "" });
  await svc(argv, environment);
  const [first, second] = received;
  expect(first).toMatchObject({
    method: "POST",
    url: "/api/v1/cli",
    headers: { authorization: "Bearer secret" },
    body: { argv, terminal: { columns: 100 } },
  });
  expect(first?.headers["idempotency-key"]).not.toBe(second?.headers["idempotency-key"]);
  expect(first?.headers).not.toHaveProperty("x-tenant-id");
  expect(first?.headers).not.toHaveProperty("x-cli-session-ticket");
});

test("sends ambient context if its variable is set", async () => {
  const { baseUrl, received } = await serve(200, { ...result, text: "" });
  await svc(["x"], {
    SVC_BASE_URL: baseUrl,
    SVC_SA_TOKEN: "secret",
    SVC_CLI_SESSION_TICKET: "ticket",
    SVC_CURRENT_WORKSPACE_ID: "ws_1",
  });
  expect(received[0]?.headers).toMatchObject({
    "x-cli-session-ticket": "ticket",
    "x-svc-ambient-workspace-id": "ws_1",
  });
});

test("prints data as JSON if there is no text, and passes the exit code on", async () => {
  const { baseUrl } = await serve(200, { ...result, exitCode: 60 });
  const { exitCode, out } = await svc(["x"], { SVC_BASE_URL: baseUrl, SVC_SA_TOKEN: "s" });
  expect(JSON.parse(out)).toEqual({ a: 1 });
  expect(exitCode).toBe(60);
});

test("shows a problem with its hint on stderr, and nothing that a terminal would obey", async () => {
  const { baseUrl } = await serve(404, {
    type: "urn:svc:problem:not_found",
    title: "Not found",
    status: 404,
    code: "not_found",
    detail: "There is no \u001b]52;c;x\u0007file.",
    hint: "Look again.",
    exitCode: 21,
    requestId: "r",
  });
  expect(await svc(["x"], { SVC_BASE_URL: baseUrl, SVC_SA_TOKEN: "s" })).toEqual({
    exitCode: 21,
    out: "",
    error: "error: There is no \\u{1b}]52;c;x\\u{7}file.\nhint: Look again.\n",
  });
});

describe("a refusal with the wrong word", () => {
  const refusal = (word: unknown) => ({
    kind: "problem",
    type: "urn:svc:problem:invalid_arguments",
    title: "Invalid arguments",
    status: 400,
    code: "invalid_arguments",
    detail: "--limit takes a number from 1 to 200, not `foo`.",
    hint: "svc files list --help",
    exitCode: 20,
    requestId: "r",
    violations: [{ argument: "--limit", message: "takes a number from 1 to 200, not `foo`", word }],
  });
  const typed = ["--fields", "name", "files", "list", "/", "--limit", "foo"];
  const shown = async (word: unknown, isWatched = true, more: string[] = []) => {
    const { baseUrl } = await serve(200, refusal(word));
    const { error } = await svc([...typed, ...more], { SVC_BASE_URL: baseUrl, SVC_SA_TOKEN: "s" }, isWatched);
    return error;
  };
  const [sentence, hint] = [
    "error: --limit takes a number from 1 to 200, not `foo`.\n",
    "hint: svc files list --help\n",
  ];

  test("shows a person where it is in the line", async () => {
    expect(await shown(4)).toBe(
      `${sentence}  svc files list / --limit foo\n                           ^^^\n${hint}`,
    );
  });

  test("shows a pipe, an agent or a program only the sentence", async () => {
    expect(await shown(4, false)).toBe(sentence + hint);
    expect(JSON.parse(await shown(4, true, ["--format", "json"])).error.violations).toEqual(
      refusal(4).violations,
    );
  });

  test.for([5, -1, 1.5, "4", null, undefined, {}, 1e9])(
    "%j does not count as a word of the line",
    async (word) => {
      expect(await shown(word)).toBe(sentence + hint);
    },
  );
});

test("says so if an answer is not the service's", async () => {
  const { baseUrl } = await serve(200, "<html>captive portal</html>");
  expect(await svc(["x"], { SVC_BASE_URL: baseUrl, SVC_SA_TOKEN: "s" })).toMatchObject({ exitCode: 33 });
});

test("a missing server is exit 40, with a hint", async () => {
  const { baseUrl } = await serve(200, result);
  close?.();
  const { exitCode, error } = await svc(["x"], { SVC_BASE_URL: baseUrl, SVC_SA_TOKEN: "s" });
  expect(exitCode).toBe(40);
  expect(error).toContain("svc doctor");
});

test("without address or token it says which is missing", async () => {
  expect(await svc(["x"], {})).toMatchObject({
    exitCode: 20,
    error: expect.stringContaining("SVC_BASE_URL"),
  });
  expect(await svc(["x"], { SVC_BASE_URL: "http://127.0.0.1:1" })).toMatchObject({
    exitCode: 10,
    error: expect.stringContaining("SVC_SA_TOKEN"),
  });
});
