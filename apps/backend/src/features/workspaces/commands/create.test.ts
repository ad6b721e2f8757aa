import { expect } from "vitest";
import { test } from "../../../../testing/backend-test.ts";

test("makes the creator the owner, and can be undone", async ({ backend, tenant }) => {
  const rin = await tenant.addPerson("Rin");
  const { body } = await backend.type(rin.token, ["workspaces", "create", "Field Research"]);
  expect(body).toMatchObject({ committed: true, data: { slug: "field-research", role: "owner" } });
  await backend.run(rin.token, `operations undo ${body.operation}`);
  expect(await backend.run(rin.token, "workspaces list")).toMatchObject({ items: [] });
});

test("a preview shows the change and creates nothing", async ({ backend, tenant }) => {
  const { body } = await backend.type(tenant.token, "workspaces create Later --dry-run");
  expect(body).toMatchObject({
    committed: false,
    preview: { changes: [{ action: "create", type: "workspace", name: "Later", after: { slug: "later" } }] },
  });
  expect((await backend.type(tenant.token, "workspaces get later")).status).toBe(404);
});

test("refuses a slug that is taken, and names it", async ({ backend, tenant }) => {
  await backend.run(tenant.token, "workspaces create Twice");
  const { status, body } = await backend.type(tenant.token, ["workspaces", "create", "twice!"]);
  expect(status).toBe(409);
  expect(body).toMatchObject({ code: "conflict", exitCode: 22 });
  expect(body.detail).toContain("`twice`");
});

test("another tenant can use the same name", async ({ backend, tenant }) => {
  const other = await backend.addTenant();
  await backend.run(tenant.token, "workspaces create Shared");
  expect(await backend.run(other.token, "workspaces create Shared")).toMatchObject({ slug: "shared" });
});

test.for([
  { name: "営業 東京", slug: "営業-東京" },
  { name: "  Ünïcode & Co.  ", slug: "ünïcode-co" },
  { name: "हिन्दी", slug: "हिन्दी" },
])("names in any script: $name", async ({ name, slug }, { backend, tenant }) => {
  expect(await backend.run(tenant.token, ["workspaces", "create", name])).toMatchObject({ slug });
});

test.for(["!!!", "a\u0000b", "x".repeat(101), "a\u001b[31mb"])(
  "refuses the name %j",
  async (name, { backend, tenant }) => {
    expect((await backend.type(tenant.token, ["workspaces", "create", name])).status).toBe(400);
  },
);

test("by default, an account in no workspace cannot create one", async ({ backend }) => {
  const tenant = await backend.addTenant("Strict", { workspaceCreation: "members" });
  await backend.run(tenant.token, "workspaces create Home");
  const newcomer = await tenant.addPerson("Newcomer");
  const create = () => backend.type(newcomer.token, "workspaces create Mine");
  expect((await create()).body).toMatchObject({ code: "not_permitted" });
  expect((await backend.type(newcomer.token, "workspaces create Mine --dry-run")).status).toBe(403);

  // A guest of one folder is not a member.
  await backend.run(tenant.token, "files mkdir /shared --workspace home");
  await backend.run(tenant.token, "access grant /shared Newcomer --workspace home");
  expect((await create()).status).toBe(403);

  await backend.run(tenant.token, "groups create Staff");
  await backend.run(tenant.token, "groups add Staff Newcomer");
  await backend.run(tenant.token, "members add Staff --workspace home");
  expect((await create()).status).toBe(200);
});

test("administrators decide whether only they or everyone can create workspaces", async ({ backend }) => {
  const tenant = await backend.addTenant("Strict", { workspaceCreation: "members" });
  const person = await tenant.addPerson("Person");
  await backend.run(tenant.token, "workspaces create Home");
  await backend.run(tenant.token, "members add Person --role owner --workspace home");
  await backend.run(tenant.token, "settings set --workspace-creation administrators");
  expect((await backend.type(person.token, "workspaces create Mine")).status).toBe(403);
  expect((await backend.type(tenant.token, "workspaces create Second")).status).toBe(200);

  await backend.run(tenant.token, "settings set --workspace-creation everyone");
  const stranger = await tenant.addPerson("Stranger");
  expect((await backend.type(stranger.token, "workspaces create Other")).status).toBe(200);
});
