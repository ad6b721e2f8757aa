import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { TestBackend } from "../../testing/test-backend.ts";

/** A session that was ended answers 401 within ten seconds, although every process remembers credentials for a while. */
const persons = 5;
const sessionsEach = 10;

let backend: TestBackend;
beforeAll(async () => {
  backend = await TestBackend.start();
});
afterAll(() => backend.close());

test("an ended session is refused within ten seconds", { timeout: 60_000 }, async () => {
  const tenant = await backend.addTenant();
  await backend.run(tenant.token, "workspaces create home");
  await tenant.addPerson("bot", { kind: "ai" });
  await backend.run(tenant.token, "members add bot --role viewer --workspace home");
  const millis: number[] = [];
  const openAndEnd = async (token: string) => {
    const opened = await backend.run<{ id: string; token: string; ticket: string }>(
      token,
      "sessions open bot",
    );
    const session = `${opened.token} ${opened.ticket}`;
    const ask = async () => (await backend.type(session, "whoami")).status;
    expect(await ask()).toBe(200);
    expect((await backend.type(opened.token, "whoami")).status).toBe(401);
    await backend.run(token, `sessions end ${opened.id}`);
    const ended = performance.now();
    while ((await ask()) === 200) await sleep(100);
    expect(await ask()).toBe(401);
    millis.push(performance.now() - ended);
  };
  const everybody = Array.from({ length: persons }, async (_, index) => {
    const { token } = await tenant.addPerson(`person-${index}`);
    await backend.run(tenant.token, `members add person-${index} --role viewer --workspace home`);
    await Promise.all(Array.from({ length: sessionsEach }, () => openAndEnd(token)));
  });
  await Promise.all(everybody);
  const worst = Math.max(...millis);
  process.stdout.write(`ended sessions: ${millis.length}, refused after at most ${Math.round(worst)} ms\n`);
  expect(millis).toHaveLength(persons * sessionsEach);
  expect(worst).toBeLessThan(10_000);
});
