import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { TestBackend } from "../../testing/test-backend.ts";

/** A session that was ended answers 401 within ten seconds, although every process remembers credentials for a while. */
const persons = 5;
const sessionsEach = 4;
const withinMillis = 10_000;

let backend: TestBackend;
/** Milliseconds that have passed for what the process remembers. */
let skew = 0;
beforeAll(async () => {
  const now = performance.now.bind(performance);
  vi.spyOn(performance, "now").mockImplementation(() => now() + skew);
  backend = await TestBackend.start();
});
afterAll(async () => {
  vi.restoreAllMocks();
  await backend.close();
});

test("an ended session is refused within ten seconds", async () => {
  const tenant = await backend.addTenant();
  await backend.run(tenant.token, "workspaces create home");
  await tenant.addPerson("bot", { kind: "ai" });
  await backend.run(tenant.token, "members add bot --role viewer --workspace home");
  const sessions: string[] = [];
  const statusOf = async (session: string) => (await backend.type(session, "whoami")).status;
  const openAndEnd = async (token: string) => {
    const opened = await backend.run<{ id: string; token: string; ticket: string }>(
      token,
      "sessions open bot",
    );
    const session = `${opened.token} ${opened.ticket}`;
    expect(await statusOf(session)).toBe(200);
    expect(await statusOf(opened.token)).toBe(401);
    await backend.run(token, `sessions end ${opened.id}`);
    sessions.push(session);
  };
  const everybody = Array.from({ length: persons }, async (_, index) => {
    const { token } = await tenant.addPerson(`person-${index}`);
    await backend.run(tenant.token, `members add person-${index} --role viewer --workspace home`);
    await Promise.all(Array.from({ length: sessionsEach }, () => openAndEnd(token)));
  });
  await Promise.all(everybody);
  expect(sessions).toHaveLength(persons * sessionsEach);
  skew += withinMillis;
  expect(await Promise.all(sessions.map(statusOf))).toEqual(sessions.map(() => 401));
});
