import { expect } from "vitest";
import { test } from "../../testing/backend-test.ts";
import { test as filesTest } from "../../testing/files-test.ts";

test("finding 16: by default, an account in no workspace cannot create one", async ({ backend }) => {
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

test("finding 16: administrators decide whether only they or everyone can create workspaces", async ({
  backend,
}) => {
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

filesTest("finding 16: an editor cannot purge an owner's file", async ({ town }) => {
  const editor = await town.person("Ed", "editor");
  await town.put("/plan.txt", "ours");
  const { id } = await town.as(editor).run<{ id: string }>("files delete /plan.txt");
  for (const line of [`trash purge ${id} --confirm true`, `trash purge ${id} --dry-run`]) {
    expect((await town.as(editor).type(line)).body.code).toBe("not_permitted");
  }
  expect((await town.as(editor).type("trash purge --confirm true")).body.data).toEqual({
    purged: 0,
    files: 0,
  });
  await town.run(`files restore ${id}`);
});

filesTest("finding 16: the owner of a folder purges what was in it", async ({ town }) => {
  const folderOwner = await town.person("Fay", "editor");
  await town.run("files mkdir /fay");
  await town.run("access grant /fay Fay --role owner");
  const { id } = await town.as(folderOwner).run<{ id: string }>("files mkdir /fay/old");
  await town.as(folderOwner).run("files delete /fay/old");
  expect((await town.as(folderOwner).type(`trash purge ${id} --confirm true`)).status).toBe(200);
});
