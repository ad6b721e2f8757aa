import type { CliRequest } from "@svc/protocol/exchange";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { TestBackend, type TestTenant } from "../../../testing/test-backend.ts";
import { asAdmin } from "../../../testing/worker-test.ts";

let backend: TestBackend;
let tenant: TestTenant;
let person: { id: string; token: string };
beforeAll(async () => {
  backend = await TestBackend.start();
  tenant = await backend.addTenant();
  for (const name of ["one", "two", "three"]) await backend.run(tenant.token, `workspaces create ${name}`);
});
afterAll(() => backend.close());
beforeEach(async () => {
  person = await tenant.addPerson(`Rin-${crypto.randomUUID()}`, { isAdministrator: true });
});

const onTerminal = { request: { want: "text", terminal: { columns: 80, interactive: true } } } as const;
const line = "workspaces list --limit 1";

async function more(token = person.token, typed = line): Promise<string> {
  const { body } = await backend.type(token, typed, onTerminal);
  const [, pasted = ""] = /^more: svc (.+)$/m.exec(body.text ?? "") ?? [];
  return pasted;
}
const cursorIn = (pasted: string) => pasted.split(" ").at(-1) ?? "";

test("on a terminal, the line for the next page is short and can be pasted, page by page", async () => {
  const first = await more();
  expect(first).toMatch(/^workspaces list --limit 1 --cursor \S{5}$/);
  const second = await backend.type(person.token, first, onTerminal);
  expect(second.body.text).toContain("three");
  const third = await more(person.token, first);
  expect(third).toMatch(/^workspaces list --limit 1 --cursor \S{5}$/);
  const last = await backend.type(person.token, third, onTerminal);
  expect(last.body.text).toContain("two");
  expect(last.body.text).not.toContain("more:");
});

test("data and pipes keep the whole cursor, and it is accepted on a terminal", async () => {
  const data = await backend.run<{ nextCursor: string }>(person.token, line);
  expect(data.nextCursor).toMatch(/^[\w-]{60,}$/);
  const piped = await backend.type(person.token, line, { request: { want: "text" } });
  expect(piped.body.text).toContain(`more: svc workspaces list --limit 1 --cursor ${data.nextCursor}`);
  const words = [...line.split(" "), "--cursor", data.nextCursor];
  const pasted = await backend.type(person.token, words, onTerminal);
  expect(pasted.body.text).toContain("three");
});

test("a short cursor is good for data too", async () => {
  const { body } = await backend.type(person.token, await more());
  expect(body.data).toMatchObject({ items: [{ slug: "three" }] });
});

test("another actor's, another token's and an invented cursor are the same: not found", async () => {
  const pasted = await more();
  const other = await tenant.addPerson(`Ken-${crypto.randomUUID()}`, { isAdministrator: true });
  const secondToken = await tenant.addToken(person.id, { name: "another" });
  const elsewhere = await backend.addTenant();
  const refusals = await Promise.all(
    [other.token, tenant.token, secondToken, elsewhere.token].map(async (token) => {
      const { requestId: _, ...refusal } = (await backend.type(token, pasted, onTerminal)).body;
      return refusal;
    }),
  );
  const unused = cursorIn(pasted) === "zz.zz" ? "yy.yy" : "zz.zz";
  const invented = await backend.type(person.token, `${line} --cursor ${unused}`, onTerminal);
  const { requestId: _, ...refusal } = invented.body;
  const expected = JSON.stringify(refusal).replaceAll(unused, cursorIn(pasted));
  expect(refusals.map((each) => JSON.stringify(each))).toEqual(Array(4).fill(expected));
  expect(invented).toMatchObject({ status: 404, body: { code: "not_found" } });
  expect((await backend.type(person.token, pasted, onTerminal)).status).toBe(200);
});

test("guessing finds nothing: an actor with all codes of another gets none of the other's pages", async () => {
  const codes = await Promise.all(Array.from({ length: 30 }, async () => cursorIn(await more())));
  const other = await tenant.addPerson(`Ken-${crypto.randomUUID()}`, { isAdministrator: true });
  const answers = await Promise.all(
    codes.map((code) => backend.type(other.token, `${line} --cursor ${code}`, onTerminal)),
  );
  expect(new Set(answers.map(({ body }) => body.code))).toEqual(new Set(["not_found"]));
});

test.for([
  "workspaces list --limit 2",
  "workspaces list",
  "groups list --limit 1",
  "workspaces list --limit 1 --workspace one",
])("another line is refused, and says so: %s", async (another) => {
  const cursor = cursorIn(await more());
  const { status, body } = await backend.type(person.token, `${another} --cursor ${cursor}`, onTerminal);
  expect([status, body.code, body.detail]).toEqual([
    400,
    "usage",
    `The cursor \`${cursor}\` belongs to another line.`,
  ]);
});

test("the order of its arguments does not matter", async () => {
  const cursor = cursorIn(await more());
  const turned = await backend.type(person.token, `workspaces list --cursor ${cursor} --limit 1`, onTerminal);
  expect(turned.status).toBe(200);
});

test("an expired one is not found", async () => {
  const pasted = await more();
  await asAdmin({ backend }, (admin) => admin.query("update app.page_cursor set expires_at = now()"));
  const { status, body } = await backend.type(person.token, pasted, onTerminal);
  expect([status, body.code]).toEqual([404, "not_found"]);
});

test("if the cursor cannot be written, the page is shown with the whole cursor, and a notice says why", async () => {
  await asAdmin({ backend }, (admin) => admin.query("revoke insert on app.page_cursor from svc_app"));
  try {
    const { status, body } = await backend.type(person.token, line, onTerminal);
    expect(status).toBe(200);
    expect(body.text).toMatch(/^more: svc workspaces list --limit 1 --cursor [\w-]{60,}$/m);
    expect(body.notices).toEqual([
      "The service could not store a short cursor, so the line for the next page is long.",
    ]);
  } finally {
    await asAdmin({ backend }, (admin) => admin.query("grant insert on app.page_cursor to svc_app"));
  }
});

test("a page without a next one writes nothing, nor does a caller who wants data", async () => {
  const request: Partial<CliRequest> = { want: "data", terminal: { columns: 80, interactive: true } };
  await backend.type(person.token, line, { request });
  await backend.type(person.token, "groups list", onTerminal);
  const count = await asAdmin({ backend }, async (admin) => {
    const { rows } = await admin.query<{ count: string }>(
      "select count(*) from app.page_cursor where actor_id = $1",
      [person.id],
    );
    return rows[0]?.count;
  });
  expect(count).toBe("0");
});
