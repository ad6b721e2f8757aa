import { describe, expect } from "vitest";
import { type FilesTown, test } from "../../testing/files-test.ts";

/** Types a line and gives its operation. */
async function begin(town: FilesTown, token: string, line: string): Promise<string> {
  const { body } = await town.as(token).type(line);
  expect(body.operation, `${line}: ${body.detail}`).toBeDefined();
  return body.operation ?? "";
}

async function expectRefused(town: FilesTown, token: string, operation: string): Promise<string> {
  const preview = await town.backend.type(token, `operations undo ${operation} --dry-run`);
  const { body } = await town.as(token).undo(operation);
  expect(preview.body.code).toBe("conflict");
  expect(body.code).toBe("conflict");
  return JSON.stringify([preview.body, body]);
}

describe("undo never removes the work of another person", () => {
  test("a folder with a colleague's file stays", async ({ town }) => {
    const [ann, ben] = [await town.person("Ann", "editor"), await town.person("Ben", "editor")];
    const operation = await begin(town, ann, "files mkdir /a");
    await town.as(ben).put("/a/bens.txt", "Ben's");
    await expectRefused(town, ann, operation);
    await expectRefused(town, town.tenant.token, operation);
    expect(await town.cat("/a/bens.txt")).toBe("Ben's");
  });

  test("even if the file is hidden, and then nothing about it is revealed", async ({ town }) => {
    const ann = await town.person("Ann", "editor");
    const operation = await begin(town, ann, "files mkdir /a");
    await town.put("/a/payroll.txt", "secret");
    await town.run("access restrict /a/payroll.txt");
    expect(await expectRefused(town, ann, operation)).not.toContain("payroll");
  });

  test("even if a colleague changed, renamed or shared something below, or their work was moved there", async ({
    town,
  }) => {
    const ann = await town.person("Ann", "editor");
    const ben = await town.person("Ben", "owner");
    await town.as(ben).run("files mkdir /bens");
    await town.as(ben).put("/bens/old.txt", "Ben's");
    await town.person("Cho", "viewer");
    await town.as(ann).run("files mkdir /anns");
    await town.as(ben).run(`access grant /anns ${town.tenant.addressOf("Cho")} --role editor`);
    for (const [name, act] of Object.entries<() => Promise<unknown>>({
      content: () => town.as(ben).put("/content/x/y.txt", "two"),
      rename: () => town.as(ben).run("files rename /rename/x/y.txt z.txt"),
      shared: () => town.as(ben).run("access restrict /shared/x/y.txt"),
      moved: () => town.as(ann).run("files move /bens /moved/x/"),
      "moved-shared": () => town.as(ann).run("files move /anns /moved-shared/x/"),
    })) {
      const { body } = await town.as(ann).putFolder(`files put ./${name} /`, { "x/y.txt": "one" });
      await act();
      // Later changes by Ann do not make it hers.
      if (name === "rename") await town.as(ann).run("files touch /rename/x/z.txt");
      await expectRefused(town, ann, body.operation ?? "");
    }
  });

  test("a workspace, a collection and a group that others have used stay", async ({ town }) => {
    const { backend, tenant } = town;
    const ann = (await tenant.addPerson("Ann")).token;
    const ben = (await tenant.addPerson("Ben")).token;
    await tenant.addPerson("Cleo");
    for (const use of [
      "files mkdir /bens",
      "collections create Bens --field name:text",
      "records create anns --set name=Bens",
      `members add ${tenant.addressOf("Cleo")} --role viewer`,
    ]) {
      const created = await backend.type(ann, ["workspaces", "create", use]);
      const { slug } = created.body.data as { slug: string };
      const inIt = (token: string, line: string) => backend.run(token, `${line} --workspace ${slug}`);
      await inIt(ann, `members add ${tenant.addressOf("Ben")} --role owner`);
      await inIt(ann, "collections create Anns --field name:text");
      await inIt(ben, use);
      await expectRefused(town, ann, created.body.operation ?? "");
    }
    const collection = await begin(town, town.owner, "collections create Customers --field name:text");
    const carl = await town.person("Carl", "editor");
    await town.as(carl).run("records create customers --set name=Acme");
    await expectRefused(town, town.owner, collection);
    const other = (await tenant.addPerson("Other", { isAdministrator: true })).token;
    for (const use of ["groups add Design Ann", "access grant / Design --role viewer"]) {
      const group = await begin(town, tenant.token, "groups create Design");
      await town.as(other).run(use);
      await expectRefused(town, tenant.token, group);
      await town.as(other).run("groups delete Design");
    }
  });

  test("does not remove a group whose member a colleague added, though an undo brought that back", async ({
    town,
  }) => {
    const { tenant } = town;
    const other = (await tenant.addPerson("Other", { isAdministrator: true })).token;
    await town.person("Rin");
    const group = await begin(town, tenant.token, "groups create Design");
    await town.as(other).run(`groups add Design ${tenant.addressOf("Rin")}`);
    const removed = await begin(town, tenant.token, `groups remove Design ${tenant.addressOf("Rin")}`);
    expect((await town.as(tenant.token).undo(removed)).status).toBe(200);
    await expectRefused(town, tenant.token, group);
  });

  test("does not restore what a colleague deleted, though it looks as the operation left it", async ({
    town,
  }) => {
    const ann = await town.person("Ann", "editor");
    const ben = await town.person("Ben", "editor");
    const { id } = await town.run<{ id: string }>("files mkdir /a");
    const deleted = await begin(town, ben, "files delete /a");
    const restored = await begin(town, ben, `files restore ${id}`);
    const trashed = (await town.as(ben).undo(restored)).body.operation ?? "";
    expect((await town.as(ben).undo(deleted)).status).toBe(200);
    await town.as(ann).run("files delete /a");
    await expectRefused(town, ben, trashed);
  });

  test("does not restore a record that a colleague deleted", async ({ town }) => {
    const ann = await town.person("Ann", "editor");
    const ben = await town.person("Ben", "editor");
    await town.run("collections create Customers --field name:text");
    const { id } = await town.run<{ id: string }>("records create customers --set name=Acme");
    const deleted = await begin(town, ben, `records delete ${id}`);
    const restored = await begin(town, ben, `records restore ${id}`);
    const trashed = (await town.as(ben).undo(restored)).body.operation ?? "";
    expect((await town.as(ben).undo(deleted)).status).toBe(200);
    await town.as(ann).run(`records delete ${id}`);
    await expectRefused(town, ben, trashed);
  });

  test.for([
    ["files rename FOLDER b", "files rename FOLDER c"],
    ["files move FOLDER /x", "files move FOLDER /y"],
    ["files delete FOLDER", "files restore FOLDER"],
    ["files touch FOLDER", "files rename FOLDER b"],
    ["records update RECORD --set name=b", "records delete RECORD"],
    ["records delete RECORD", "records restore RECORD"],
    ["collections alter COLLECTION --name B", "collections delete COLLECTION"],
  ])(
    "does not redo something on top of a colleague's change, though that looks like the old one: %s",
    async ([first = "", second = ""], { town }) => {
      const ben = await town.person("Ben", "owner");
      const ann = await town.person("Ann", "owner");
      for (const folder of ["a", "x", "y"]) await town.run(`files mkdir /${folder}`);
      const { id: folder } = await town.run<{ id: string }>("files stat /a");
      const { id: collection } = await town.run<{ id: string }>(
        "collections create Customers --field name:text",
      );
      const { id: record } = await town.run<{ id: string }>("records create customers --set name=Acme");
      const filled = (line: string) =>
        line.replace("FOLDER", folder).replace("RECORD", record).replace("COLLECTION", collection);
      const done = [await begin(town, ben, filled(first)), await begin(town, ben, filled(second))] as const;
      const redo = (await town.as(ben).undo(done[1])).body.operation ?? "";
      expect((await town.as(ben).undo(done[0])).status).toBe(200);
      await begin(town, ann, filled(first));
      await expectRefused(town, ben, redo);
    },
  );

  test("does not rename a workspace on top of a colleague's new name", async ({ town }) => {
    const ben = await town.person("Ben", "owner");
    const ann = await town.person("Ann", "owner");
    const { id } = await town.run<{ id: string }>(`workspaces get ${town.slug}`);
    const type = async (token: string, line: string) => {
      const { body } = await town.backend.type(token, line);
      expect(body.operation, `${line}: ${body.detail}`).toBeDefined();
      return body.operation ?? "";
    };
    const first = await type(ben, `workspaces rename ${id} B`);
    const second = await type(ben, `workspaces rename ${id} C`);
    const redo = await type(ben, `operations undo ${second}`);
    await type(ben, `operations undo ${first}`);
    await type(ann, `workspaces rename ${id} B`);
    await expectRefused(town, ben, redo);
  });

  test("does not revert an entry that a colleague granted or revoked again", async ({ town }) => {
    const ben = await town.person("Ben", "owner");
    await town.person("Rin");
    await town.run("files mkdir /a");
    const granted = await begin(town, town.owner, `access grant /a ${town.tenant.addressOf("Rin")}`);
    await town.as(ben).run("access revoke /a Rin");
    await town.as(ben).run(`access grant /a ${town.tenant.addressOf("Rin")}`);
    await expectRefused(town, town.owner, granted);
    const revoked = await begin(town, town.owner, "access revoke /a Rin");
    await town.as(ben).run(`access grant /a ${town.tenant.addressOf("Rin")}`);
    await town.as(ben).run("access revoke /a Rin");
    await expectRefused(town, town.owner, revoked);
    const restricted = await begin(town, town.owner, "access restrict /a");
    await town.as(ben).run("access inherit /a");
    await town.as(ben).run("access restrict /a");
    await expectRefused(town, town.owner, restricted);
  });

  test("does not remove a new field with a colleague's values", async ({ town }) => {
    const ben = await town.person("Ben", "editor");
    await town.run("collections create Customers --field name:text");
    const altered = await begin(town, town.owner, "collections alter customers --add since:date");
    await town.as(ben).run("records create customers --set name=Acme --set since=2026-01-02");
    await expectRefused(town, town.owner, altered);
  });

  test("lists what would be removed, and removes it only for its own author", async ({ town }) => {
    const ann = await town.person("Ann", "editor");
    const operation = await begin(town, ann, "files mkdir /a");
    await town.as(ann).run("files mkdir /a/b");
    await town.as(ann).put("/a/b/c.txt", "Ann's");
    const { body } = await town.backend.type(ann, `operations undo ${operation} --dry-run`);
    expect(body.preview?.changes).toMatchObject([
      { action: "delete", type: "folder", name: "/a", before: { files: 1, folders: 1 } },
      { action: "delete", type: "folder", name: "/a/b" },
      { action: "delete", type: "file", name: "/a/b/c.txt" },
    ]);
    const undone = await town.as(ann).undo(operation);
    expect(await town.tree()).toEqual([]);
    expect((await town.as(ann).undo(undone.body.operation)).status).toBe(200);
    expect(await town.cat("/a/b/c.txt")).toBe("Ann's");
  });
});
