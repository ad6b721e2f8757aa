import { once } from "node:events";
import { request } from "node:http";
import { faultSize } from "@svc/testing/fault-size";
import { runSeed } from "@svc/testing/run-seed";
import { sql } from "kysely";
import { expect } from "vitest";
import { test } from "../../testing/backend-test.ts";
import { Dice } from "../../testing/dice.ts";
import { Person } from "../../testing/person.ts";
import { drawnPause } from "../../testing/processes/drawn-pause.ts";
import type { TestBackend, TestTenant } from "../../testing/test-backend.ts";

/** An agent whose connection breaks repeats its line: whatever happened to the first, there is one commit and its answer. */
const cuts = faultSize(200, 20);
const seed = runSeed();

test("a line that lost its answer commits once, and gets it when repeated", async ({ backend, tenant }) => {
  const { token } = await tenant.addPerson("Robot", { kind: "ai" });
  await backend.run(tenant.token, "workspaces create Desk");
  await backend.run(tenant.token, "members add Robot --role editor --workspace desk");
  const robot = new Person(backend, token, "desk");
  // Other tests of this worker may have needed its port before.
  if (!backend.server.server.listening) await backend.server.listen({ host: "127.0.0.1", port: 0 });
  const dice = new Dice(seed);
  const before = { answered: 0, lost: 0 };
  for (let cut = 0; cut < cuts; cut += 1) {
    const path = `/folder-${cut}`;
    const line = await preview(robot, path);
    // The commits of a warm server take a few milliseconds. Every fifth line is cut as soon as it is sent.
    const pause = cut % 5 === 0 ? async () => {} : () => drawnPause(dice, 30);
    const isAnswered = await sendAndCut(backend, robot, line, pause);
    before[isAnswered ? "answered" : "lost"] += 1;
    const { status, body } = await commit(robot, line);
    expect([path, status, body.committed], `SVC_SEED=${seed}`).toEqual([path, 200, true]);
    expect(await commitsOf(backend, tenant, path), `SVC_SEED=${seed}`).toEqual([body.operation]);
  }
  expect(before.lost).toBeGreaterThan(0);
  process.stdout.write(`lost answers: ${JSON.stringify(before)}, one commit each, SVC_SEED=${seed}\n`);
});

async function preview(robot: Person, path: string): Promise<string> {
  const { body } = await robot.type(`files mkdir ${path}`);
  return `files mkdir ${path} --confirm ${body.preview?.token}`;
}

const commit = (robot: Person, line: string) => robot.type(line);

/** Whether the answer came before the connection was cut. */
async function sendAndCut(
  backend: TestBackend,
  robot: Person,
  line: string,
  pause: () => Promise<void>,
): Promise<boolean> {
  const [address] = backend.server.addresses();
  if (typeof address !== "object") throw new Error("the server has no port");
  const call = request({
    host: "127.0.0.1",
    port: address.port,
    method: "POST",
    path: "/api/v1/cli",
    headers: { authorization: `Bearer ${robot.token}`, "content-type": "application/json" },
  });
  let isAnswered = false;
  call.on("response", (answer) => {
    isAnswered = true;
    answer.resume();
  });
  // A cut connection is what this is about.
  call.on("error", () => {});
  call.end(JSON.stringify({ argv: robot.words(line), want: "data" }));
  await once(call, "finish");
  await pause();
  call.destroy();
  return isAnswered;
}

async function commitsOf({ database }: TestBackend, tenant: TestTenant, path: string): Promise<string[]> {
  const scope = { tenantId: tenant.id, actorId: tenant.administratorId };
  const { rows } = await database.withTenant(scope, "read", ({ db }) =>
    sql<{ operation: string }>`
      select entry ->> 'operation' as operation from app.audit
      where outcome = 'committed' and entry ->> 'arguments' like ${`%"${path}"%`}`.execute(db),
  );
  return rows.map(({ operation }) => operation);
}
