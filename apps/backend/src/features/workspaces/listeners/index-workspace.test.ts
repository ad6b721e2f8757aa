import { expect } from "vitest";
import { ask, test } from "../../../../testing/search-test.ts";

test("what is at the root of a workspace is found, also if an operator added the workspace", async ({
  town,
  backend,
}) => {
  const { id, token } = await town.tenant.addPerson("Ann");
  await backend.provision(async (provisioner) => {
    const workspace = await provisioner.addWorkspace(town.tenant.id, { name: "Added", slug: "added" });
    await provisioner.addMember(town.tenant.id, workspace, id, "owner");
  });
  await backend.run(token, "workspaces create Made");
  for (const workspace of ["added", "made"]) {
    await backend.send(token, `files put ./a.txt /${workspace}.txt --workspace ${workspace}`, "a kiwi");
  }
  const { hits } = await ask(town, token, "kiwi ");
  expect(hits.map(({ title }) => title).sort()).toEqual(["added.txt", "made.txt"]);
});
