import type { ServerResponse } from "node:http";
import { afterEach, beforeEach, expect, test } from "vitest";
import { result, SampleService } from "../../testing/sample-service.ts";
import { TestTerminal } from "../../testing/test-terminal.ts";
import { runSvc } from "../run-svc.ts";

let service: SampleService;
beforeEach(async () => {
  service = await SampleService.start();
});
afterEach(() => service.stop());

function limit(response: ServerResponse, seconds: number): void {
  const problem = {
    type: "t",
    title: "Too many requests",
    code: "too_many_requests",
    detail: "Not so fast.",
  };
  response
    .writeHead(429, { "retry-after": String(seconds) })
    .end(JSON.stringify({ ...problem, status: 429, exitCode: 31, requestId: "r" }));
}

async function svc(isWatched: boolean) {
  const terminal = new TestTerminal({ isWatched, ...(isWatched ? { columns: 200 } : {}) });
  const environment = {
    SVC_BASE_URL: service.url,
    SVC_SA_TOKEN: "t",
    HOME: "/nowhere",
    XDG_CONFIG_HOME: "/sys",
  };
  const exitCode = await runSvc({
    typed: ["x"],
    environment,
    terminal,
    signal: new AbortController().signal,
  });
  return { exitCode, out: terminal.printed.toString(), error: terminal.remarks };
}

/** Limits the first requests, and answers the next one. */
function limitFirst(count: number): void {
  service.onLine = (response) => {
    if (service.lines.length <= count) limit(response, 0);
    else response.end(JSON.stringify(result("done")));
  };
}

test("waits as long as the server says, and says so on a watched terminal only", async () => {
  limitFirst(1);
  const { host } = new URL(service.url);
  expect(await svc(true)).toMatchObject({
    exitCode: 0,
    error: expect.stringContaining(`Waiting    1 s  ${host} is rate limiting requests.`),
  });
  service.lines.length = 0;
  expect(await svc(false)).toEqual({ exitCode: 0, out: "done\n", error: "" });
});

test("waits more often than other failures are retried, and the line runs once", {
  tags: ["long"],
}, async () => {
  const answer = service.onLine;
  service.onLine = (response, request) => {
    if (service.lines.length <= 3) limit(response, 0);
    else if (service.lines.length <= 5) response.destroy();
    else answer(response, request);
  };
  expect(await svc(false)).toEqual({ exitCode: 0, out: "done\n", error: "" });
  expect(service.lines).toHaveLength(6);
  expect(new Set(service.lines.map(({ headers }) => headers["idempotency-key"])).size).toBe(1);
});

test("gives up at once if it would have to wait for more than ten minutes", async () => {
  service.onLine = (response) => limit(response, 601);
  expect(await svc(true)).toMatchObject({ exitCode: 31, error: expect.stringContaining("Not so fast.") });
  expect(service.lines).toHaveLength(1);
});
