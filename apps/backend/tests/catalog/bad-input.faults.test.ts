import { type Catalog, loadCatalog } from "@svc/command-router/catalog";
import { errorTable } from "@svc/protocol/error-table";
import { CliAnswer, ResultAnswer } from "@svc/protocol/exchange";
import { Problem } from "@svc/protocol/problem";
import { faultSize } from "@svc/testing/fault-size";
import { runSeed } from "@svc/testing/run-seed";
import fc from "fast-check";
import type { InjectOptions } from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { CommandContext } from "../../src/platform/commands/command-context.ts";
import { featuresFolder } from "../../src/platform/process/features-folder.ts";
import { Dice } from "../../testing/dice.ts";
import { TestBackend, type TestTenant } from "../../testing/test-backend.ts";
import { anyArgv, anyRequest, everyArgumentOnce } from "./hostile-input.ts";

/**
 * The real catalog answers any input, never with a 5xx, which a command that takes too long gets as well, and always
 * with a shape and a code of the protocol. Half of the inputs are lines of argv, half are whole requests.
 */
const inputs = faultSize(10_000, 300);
const catalog: Catalog<CommandContext> = await loadCatalog(featuresFolder);

let backend: TestBackend;
let tenant: TestTenant;
let log = "";

beforeAll(async () => {
  backend = await TestBackend.start({
    logTo: {
      write: (line) => {
        if (line.includes("unexpected error")) log = line;
      },
    },
  });
  tenant = await backend.addTenant();
  await backend.run(tenant.token, "workspaces create Marketing");
});
afterAll(() => backend.close());

test("answers any line", async () => {
  const request = fc.record({ argv: anyArgv(catalog), want: fc.constantFrom("text", "data") });
  await fc.assert(
    fc.asyncProperty(request, fc.boolean(), async (payload, streams) => {
      await expectKnownAnswer({
        method: "POST",
        url: "/api/v1/cli",
        payload,
        headers: { accept: streams ? "application/x-ndjson" : "application/json" },
      });
    }),
    { numRuns: inputs / 2 },
  );
  // The caller is not locked out; otherwise the rest of the run would show nothing.
  expect((await backend.type(tenant.token, "whoami")).status).toBe(200);
});

test("answers any request", async () => {
  await fc.assert(fc.asyncProperty(anyRequest(catalog), expectKnownAnswer), { numRuns: inputs / 2 });
  expect((await backend.type(tenant.token, "whoami")).status).toBe(200);
});

test("answers every argument of every command with every known nasty text", async () => {
  const requests = everyArgumentOnce(catalog);
  const step = faultSize(1, 40);
  for (let index = Math.floor(new Dice(runSeed()).throw() * step); index < requests.length; index += step) {
    const request = requests[index] ?? {};
    await expectKnownAnswer(request).catch((cause: unknown) => {
      throw new Error(`${request.url} ${JSON.stringify(request.payload)}`, { cause });
    });
  }
});

async function expectKnownAnswer({ headers, ...request }: InjectOptions): Promise<void> {
  log = "";
  const answer = await backend.server.inject({
    ...request,
    headers: { authorization: `Bearer ${tenant.token}`, ...headers },
  });

  if (answer.statusCode >= 500) throw new Error(`${answer.statusCode} ${answer.body}\n${log}`);
  expect(answer.statusCode).not.toBe(401);
  expect(answer.headers["x-request-id"]).toMatch(/^[\w-]{8,64}$/);
  if (request.method === "HEAD" || answer.statusCode === 204 || answer.statusCode === 304) return;
  const body = String(answer.headers["content-type"]).startsWith("application/x-ndjson")
    ? JSON.parse(answer.body.trimEnd().split("\n").at(-1) ?? "")
    : answer.json();
  if (answer.statusCode >= 400 || body.kind === "problem") {
    const { kind, ...sent } = body;
    const problem = Problem.strict().parse(sent);
    const { status, exitCode } = errorTable[problem.code];
    expect([problem.status, problem.exitCode]).toEqual([status, exitCode]);
    if (kind === undefined) expect(answer.statusCode).toBe(status);
    if (problem.code === "internal") throw new Error(`internal\n${log}`);
  } else if (request.url === "/api/v1/cli") CliAnswer.parse(body);
  else if (String(request.url).startsWith("/api/v1/commands/")) ResultAnswer.parse(body);
}
