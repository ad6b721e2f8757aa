import { expect } from "vitest";
import { test } from "../../../../testing/files-test.ts";

test.beforeEach(async ({ town }) => {
  await town.run("files mkdir /a");
  await town.put("/a/x.txt", "x");
});

test("lets somebody see a folder with everything below it, now and later, and undo revokes it", async ({
  town,
}) => {
  const gus = await town.person("Gus");
  const { body } = await town.type(`access grant /a ${town.tenant.addressOf("Gus")}`);
  expect(body.data).toEqual({ subject: "/a", person: "Gus", role: "viewer" });
  await town.put("/a/later.txt", "later");
  expect(await town.as(gus).tree()).toEqual(["/a/", "/a/later.txt", "/a/x.txt"]);
  expect((await town.as(gus).put("/a/x.txt", "theirs")).body.code).toBe("not_permitted");
  await town.undo(body.operation);
  expect((await town.as(gus).type("files tree")).body.code).toBe("not_found");
});

test("an editor of one folder can change its contents, and nothing else", async ({ town }) => {
  const gus = await town.person("Gus");
  await town.run(`access grant /a ${town.tenant.addressOf("Gus")} --role editor`);
  expect((await town.as(gus).put("/a/new.txt", "new")).status).toBe(200);
  expect((await town.as(gus).put("/top.txt", "top")).body.code).toBe("not_permitted");
  expect((await town.as(gus).type("access grant /a Gus --role owner")).body.code).toBe("not_permitted");
});

test("a group gives its access to its members, including nested groups", async ({ town }) => {
  const gus = await town.person("Gus");
  const root = town.tenant.token;
  for (const line of [
    "groups create Inner",
    "groups create Outer",
    "groups add Outer Inner",
    "groups add Inner Gus",
  ]) {
    await town.backend.run(root, line);
  }
  await town.as(root).run("access grant /a/x.txt Outer");
  expect(await town.as(gus).cat("/a/x.txt")).toBe("x");
  await town.backend.run(root, "groups remove Inner Gus");
  expect((await town.as(gus).type("files cat /a/x.txt")).body.code).toBe("not_found");
});

test("everyone means the members of the workspace, and nobody else", async ({ town }) => {
  const viewer = await town.person("Viola", "viewer");
  const guest = await town.person("Gus");
  await town.run("access restrict /a");
  await town.run("access grant /a everyone --role editor");
  expect((await town.as(viewer).put("/a/new.txt", "new")).status).toBe(200);
  expect((await town.as(guest).type("files list /a")).body.code).toBe("not_found");
});

test("granting the same role is a conflict; another role replaces it", async ({ town }) => {
  await town.person("Gus");
  await town.run(`access grant /a ${town.tenant.addressOf("Gus")}`);
  expect((await town.type("access grant /a Gus")).body.code).toBe("conflict");
  expect(await town.run("access grant /a Gus --role owner")).toMatchObject({ role: "owner" });
});

test("keeps the last owner of a workspace", async ({ town }) => {
  const { body } = await town.type(["access", "grant", "/", "Owner of Town", "--role", "viewer"]);
  expect(body).toMatchObject({
    code: "conflict",
    hint: "Make somebody else an owner first with `svc members add`.",
  });
});

test("writes one row, however much is below, if the folder already has an access list", async ({
  town,
  backend,
}) => {
  await town.person("Gus");
  await town.person("Lin");
  await town.run(`access grant /a ${town.tenant.addressOf("Gus")}`);
  const versions = () =>
    backend.database.withTenant({ tenantId: town.tenant.id, actorId: town.tenant.id }, "read", ({ db }) =>
      db.selectFrom("app.node").select(["id", "version", "acl_scope_id"]).orderBy("id").execute(),
    );
  const before = await versions();
  await town.run(`access grant /a ${town.tenant.addressOf("Lin")} --role editor`);
  expect(await versions()).toEqual(before);
});

test("a collection can be shared, restricted and reset like a folder", async ({ town }) => {
  const gus = await town.person("Gus");
  const viola = await town.person("Viola", "viewer");
  await town.run("collections create Customers --field name:text");
  await town.run("access restrict collection:customers");
  const { body } = await town.type(
    `access grant collection:customers ${town.tenant.addressOf("Gus")} --role editor`,
  );
  expect(body.data).toEqual({ subject: "Customers", person: "Gus", role: "editor" });
  await town.as(gus).run("records create customers --set name=Acme");
  expect((await town.as(viola).type("records list customers")).body.code).toBe("not_found");
  expect(await town.run("access check collection:customers Gus")).toMatchObject({
    role: "editor",
    reasons: [{ through: "by name", from: "Customers" }],
  });
  await town.undo(body.operation);
  expect((await town.as(gus).type("records list customers")).body.code).toBe("not_found");
});
