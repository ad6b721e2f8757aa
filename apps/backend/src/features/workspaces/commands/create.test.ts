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
