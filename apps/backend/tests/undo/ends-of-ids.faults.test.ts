import { decodeId, encodeId } from "@svc/protocol/typed-id";
import pg from "pg";
import { expect, onTestFinished } from "vitest";
import { test } from "../../testing/backend-test.ts";
import type { TestBackend, TestTenant } from "../../testing/test-backend.ts";

const narrow = ["operations:write", "workspaces:write"];

/** Copies an operation: same payload, another id with the same end, another actor or time. */
async function plantLike(
  { testDatabase }: TestBackend,
  operation: string,
  { actorId, id }: { actorId?: string; id: (uuid: string) => string },
): Promise<string> {
  const admin = new pg.Client({ connectionString: testDatabase.adminUrl });
  await admin.connect();
  onTestFinished(() => admin.end());
  const uuid = decodeId(operation, "operation") ?? "";
  const planted = id(uuid);
  await admin.query(
    `insert into app.operation (tenant_id, id, end_of_id, made_with, actor_id, command, undo_payload, changes)
     select tenant_id, $2::uuid, right($2::uuid::text, 5), made_with, coalesce($3::uuid, actor_id), command, undo_payload, changes
     from app.operation where id = $1`,
    [uuid, planted, actorId ?? null],
  );
  return encodeId("operation", planted);
}

/** Differs in the last but sixth digit, so that the fifth character from the end differs too. */
const sameEnd = (uuid: string) => {
  const digit = Number.parseInt(uuid.at(-6) ?? "0", 16);
  return `${uuid.slice(0, -6)}${((digit + 1) % 16).toString(16)}${uuid.slice(-5)}`;
};

async function create(backend: TestBackend, token: string, name: string): Promise<string> {
  const { body } = await backend.type(token, ["workspaces", "create", name]);
  return body.operation ?? "";
}

async function addNarrow(tenant: TestTenant, name: string) {
  const { id, token } = await tenant.addPerson(name);
  return { id, whole: token, narrow: await tenant.addToken(id, { name: "narrow", scopes: narrow }) };
}

test("finding: a credential that cannot list operations finds only its own by their ends", async ({
  backend,
  tenant,
}) => {
  const nia = await addNarrow(tenant, "Nia");
  const hidden = await create(backend, nia.whole, "By the whole credential");
  const own = await create(backend, nia.narrow, "By the narrow one");
  for (const length of [4, 6, 26]) {
    const { body } = await backend.type(nia.narrow, ["undo", hidden.slice(-length), "--dry-run"]);
    expect(body).toMatchObject({ code: "not_found" });
    expect(JSON.stringify(body)).not.toContain("whole credential");
  }
  expect((await backend.type(nia.narrow, ["undo", own.slice(-4)])).status).toBe(200);
  const nothing = await backend.type(nia.narrow, ["undo"]);
  expect(nothing.body).toMatchObject({
    code: "not_found",
    hint: expect.stringContaining("By the narrow one"),
  });
  expect(nothing.body.hint).not.toContain("By the whole credential");
  expect((await backend.type(nia.whole, ["undo", hidden.slice(-4)])).status).toBe(200);
});

test("finding: an end means one's own operation, even if somebody else's ends the same", async ({
  backend,
  tenant,
}) => {
  const [ola, rin] = [await tenant.addPerson("Ola"), await tenant.addPerson("Rin")];
  const operation = await create(backend, ola.token, "Of Ola");
  const theirs = await plantLike(backend, operation, { actorId: rin.id, id: sameEnd });
  expect(theirs.slice(-4)).toBe(operation.slice(-4));
  // An administrator could undo either, and has none that ends like this.
  expect((await backend.type(tenant.token, ["undo", operation.slice(-4)])).body.code).toBe("not_found");
  expect((await backend.type(ola.token, ["undo", operation.slice(-4)])).body.data).toMatchObject({
    id: operation,
  });
});

test("an end of two of one's own operations is refused with what tells them apart", async ({
  backend,
  tenant,
}) => {
  const { token } = await tenant.addPerson("Pia");
  const operation = await create(backend, token, "Of Pia");
  const twin = await plantLike(backend, operation, { id: sameEnd });
  const { body } = await backend.type(token, ["undo", operation.slice(-4)]);
  expect(body).toMatchObject({ code: "conflict", detail: expect.stringContaining("2 of your operations") });
  const ends = [...(body.hint ?? "").matchAll(/^ {2}(\w+) {2}create workspace Of Pia \(.*, done\)$/gm)];
  expect(ends.map(([, end]) => end).sort()).toEqual([operation.slice(-5), twin.slice(-5)].sort());
  expect((await backend.type(token, ["undo", operation.slice(-5)])).body.data).toMatchObject({
    id: operation,
  });
});

test("bare undo looks back one day, and lists the latest five if there is nothing", async ({
  backend,
  tenant,
}) => {
  const { token } = await tenant.addPerson("Quinn");
  const operation = await create(backend, token, "Made just now");
  await backend.run(token, ["undo"]);
  const day = 24 * 60 * 60 * 1_000;
  const ago = (millis: number) => (uuid: string) => {
    const hex = (Date.now() - millis).toString(16).padStart(12, "0");
    return `${hex.slice(0, 8)}-${hex.slice(8)}${uuid.slice(13, -5)}${String(millis % 99_991).padStart(5, "0")}`;
  };
  for (const minutes of [1, 2, 3, 4, 5]) {
    await plantLike(backend, operation, { id: ago(day + minutes * 60_000) });
  }
  const { body } = await backend.type(token, ["undo"]);
  expect(body).toMatchObject({ code: "not_found", detail: expect.stringContaining("24 hours") });
  expect(body.hint?.split("\n")).toHaveLength(6);
  const recent = await plantLike(backend, operation, { id: ago(day - 60_000) });
  const found = await backend.type(token, ["undo", "--dry-run"]);
  // Its payload is that of an operation which was undone, so it gets as far as that.
  expect(found.body.code ?? recent).not.toBe("not_found");
});

test("a session's bare undo does not reach what the person did, nor the other way round", async ({
  backend,
  tenant,
}) => {
  const { token } = await tenant.addPerson("Sam");
  const ticket = { headers: { "x-cli-session-ticket": "t" } };
  const own = await create(backend, token, "By hand");
  expect((await backend.type(token, ["undo"], ticket)).body.code).toBe("not_found");
  const preview = await backend.type(token, ["workspaces", "create", "By the session"], ticket);
  const confirm = ["--confirm", preview.body.preview?.token ?? ""];
  await backend.type(token, ["workspaces", "create", "By the session", ...confirm], ticket);
  expect((await backend.type(token, ["undo"])).body.data).toMatchObject({ id: own });
  expect((await backend.type(token, ["undo"])).body.code).toBe("not_found");
});

test.for(["", " ", "7k2", "ilou", "%", "op_", "../x", "\u0000", "*".repeat(99), "ＡＢＣＤ"])(
  "an id that is none undoes nothing: %j",
  async (typed, { backend, tenant }) => {
    const { token } = await tenant.addPerson(`Tia-${encodeURIComponent(typed).replaceAll("%", "-")}.`);
    const operation = await create(backend, token, "Stays");
    expect((await backend.type(token, ["undo", typed])).status).toBeGreaterThanOrEqual(400);
    expect(await backend.run(token, ["operations", "show", operation.slice(-4)])).toMatchObject({
      state: "done",
    });
  },
);
