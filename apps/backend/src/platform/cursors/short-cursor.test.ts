import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { TestBackend, type TestTenant } from "../../../testing/test-backend.ts";
import { asAdmin } from "../../../testing/worker-test.ts";
import { findCursor, isShortCursor, keepCursor } from "./short-cursor.ts";

let backend: TestBackend;
let tenant: TestTenant;
beforeAll(async () => {
  backend = await TestBackend.start();
  tenant = await backend.addTenant();
});
afterAll(() => backend.close());

const now = new Date("2026-01-01T12:00:00Z");
const later = (hours: number) => new Date(now.getTime() + hours * 3_600_000);
const lineHash = Buffer.alloc(32, 1);

function person() {
  const scope = { tenantId: tenant.id, actorId: randomUUID() };
  const credentialId = randomUUID();
  return {
    credentialId,
    keep: (cursor: string, { at = now, newCode }: { at?: Date; newCode?: () => string } = {}) =>
      backend.database.withTenant(scope, "write", (transaction) =>
        keepCursor({ ...transaction, now: at }, { credentialId, lineHash, cursor }, newCode),
      ),
    find: (code: string, at = now, by = credentialId) =>
      backend.database.withTenant(scope, "read", (transaction) =>
        findCursor({ ...transaction, now: at }, { credentialId: by, code }),
      ),
    count: () =>
      backend.database.withTenant(scope, "read", async ({ db }) => {
        const { rows } = await sql<{ count: number }>`
          select count(*) from app.page_cursor where actor_id = ${scope.actorId}`.execute(db);
        return rows[0]?.count;
      }),
  };
}

test("has at most six characters that nobody mistakes for others, and is found in capitals too", async () => {
  const rin = person();
  const code = await rin.keep("a very long cursor");
  expect(code).toMatch(/^[0-9a-hjkmnp-tv-z]{2}\.[0-9a-hjkmnp-tv-z]{2}$/);
  expect(isShortCursor(code)).toBe(true);
  expect(await rin.find(code)).toEqual({ lineHash, cursor: "a very long cursor" });
  expect(await rin.find(code.toUpperCase())).toMatchObject({ cursor: "a very long cursor" });
});

test("is valid for a day", async () => {
  const rin = person();
  const code = await rin.keep("after this");
  expect(await rin.find(code, later(23.9))).toMatchObject({ cursor: "after this" });
  expect(await rin.find(code, later(24))).toBeUndefined();
});

test("belongs to one actor and one credential", async () => {
  const [rin, ken] = [person(), person()];
  const code = await rin.keep("of Rin");
  expect(await ken.find(code)).toBeUndefined();
  expect(await ken.find(code, now, rin.credentialId)).toBeUndefined();
  expect(await rin.find(code, now, randomUUID())).toBeUndefined();
});

test("two actors may have the same, each their own", async () => {
  const [rin, ken] = [person(), person()];
  const same = () => "aa.aa";
  await rin.keep("of Rin", { newCode: same });
  await ken.keep("of Ken", { newCode: same });
  expect([await rin.find("aa.aa"), await ken.find("aa.aa")]).toMatchObject([
    { cursor: "of Rin" },
    { cursor: "of Ken" },
  ]);
});

test("a code that is taken is not given away: another one is chosen", async () => {
  const rin = person();
  const codes = ["aa.aa", "aa.aa", "bb.bb"];
  const newCode = () => codes.shift() ?? "";
  expect([await rin.keep("first", { newCode }), await rin.keep("second", { newCode })]).toEqual([
    "aa.aa",
    "bb.bb",
  ]);
  expect(await rin.find("aa.aa")).toMatchObject({ cursor: "first" });
});

test("an actor has a hundred at most, the newest", async () => {
  const rin = person();
  const codes: string[] = [];
  for (let number = 0; number < 105; number += 1) {
    codes.push(await rin.keep(`cursor ${number}`, { at: new Date(now.getTime() + number) }));
  }
  expect(await rin.count()).toBe(100);
  const found = await Promise.all(codes.map((code) => rin.find(code)));
  expect(found.map((row) => row?.cursor)).toEqual(
    codes.map((_, number) => (number < 5 ? undefined : `cursor ${number}`)),
  );
});

test("expired ones are swept with the expired previews", async () => {
  const rin = person();
  await rin.keep("long ago", { at: new Date("2020-01-01") });
  await rin.keep("now", { at: new Date() });
  await asAdmin({ backend }, (admin) => admin.query("select app.sweep_expired(1000)"));
  expect(await rin.count()).toBe(1);
});

test.for(["k7m2q", "55", "100000", "notes", "YWJj", "file/a.b", "sales 00000000", "k7.m2q", "é7.m2"])(
  "a cursor of a command is not taken for a short one: %s",
  (cursor) => {
    expect(isShortCursor(cursor)).toBe(false);
  },
);
