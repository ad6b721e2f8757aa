import { describe, expect } from "vitest";
import { type FilesTown, test } from "../../testing/files-test.ts";

/** Types a line and gives its operation. */
async function begin(town: FilesTown, token: string, line: string): Promise<string> {
  const { body } = await town.type(token, line);
  expect(body.operation, `${line}: ${body.detail}`).toBeDefined();
  return body.operation ?? "";
}

async function expectRefused(town: FilesTown, token: string, operation: string): Promise<string> {
  const preview = await town.backend.type(token, `operations undo ${operation} --dry-run`);
  const { body } = await town.undo(operation, token);
  expect(preview.body.code).toBe("conflict");
  expect(body.code).toBe("conflict");
  return JSON.stringify([preview.body, body]);
}

describe("finding 6: undo never removes the work of another person", () => {
  test("a folder with a colleague's file stays", async ({ town }) => {
    const [ann, ben] = [await town.person("Ann", "editor"), await town.person("Ben", "editor")];
    const operation = await begin(town, ann, "files mkdir /a");
    await town.put("/a/bens.txt", "Ben's", ben);
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
    await town.run("files mkdir /bens", ben);
    await town.put("/bens/old.txt", "Ben's", ben);
    await town.person("Cho", "viewer");
    await town.run("files mkdir /anns", ann);
    await town.run(`access grant /anns ${town.tenant.addressOf("Cho")} --role editor`, ben);
    for (const [name, act] of Object.entries<() => Promise<unknown>>({
      content: () => town.put("/content/x/y.txt", "two", ben),
      rename: () => town.run("files rename /rename/x/y.txt z.txt", ben),
      shared: () => town.run("access restrict /shared/x/y.txt", ben),
      moved: () => town.run("files move /bens /moved/x/", ann),
      "moved-shared": () => town.run("files move /anns /moved-shared/x/", ann),
    })) {
      const { body } = await town.putFolder(`files put ./${name} /`, { "x/y.txt": "one" }, ann);
      await act();
      // Later changes by Ann do not make it hers.
      if (name === "rename") await town.run("files touch /rename/x/z.txt", ann);
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
    await town.run("records create customers --set name=Acme", carl);
    await expectRefused(town, town.owner, collection);
    const other = (await tenant.addPerson("Other", { isAdministrator: true })).token;
    for (const use of ["groups add Design Ann", "access grant / Design --role viewer"]) {
      const group = await begin(town, tenant.token, "groups create Design");
      await town.run(use, other);
      await expectRefused(town, tenant.token, group);
      await town.run("groups delete Design", other);
    }
  });

  test("does not revert an entry that a colleague granted or revoked again", async ({ town }) => {
    const ben = await town.person("Ben", "owner");
    await town.person("Rin");
    await town.run("files mkdir /a");
    const granted = await begin(town, town.owner, `access grant /a ${town.tenant.addressOf("Rin")}`);
    await town.run("access revoke /a Rin", ben);
    await town.run(`access grant /a ${town.tenant.addressOf("Rin")}`, ben);
    await expectRefused(town, town.owner, granted);
    const revoked = await begin(town, town.owner, "access revoke /a Rin");
    await town.run(`access grant /a ${town.tenant.addressOf("Rin")}`, ben);
    await town.run("access revoke /a Rin", ben);
    await expectRefused(town, town.owner, revoked);
    const restricted = await begin(town, town.owner, "access restrict /a");
    await town.run("access inherit /a", ben);
    await town.run("access restrict /a", ben);
    await expectRefused(town, town.owner, restricted);
  });

  test("does not remove a new field with a colleague's values", async ({ town }) => {
    const ben = await town.person("Ben", "editor");
    await town.run("collections create Customers --field name:text");
    const altered = await begin(town, town.owner, "collections alter customers --add since:date");
    await town.run("records create customers --set name=Acme --set since=2026-01-02", ben);
    await expectRefused(town, town.owner, altered);
  });

  test("lists what would be removed, and removes it only for its own author", async ({ town }) => {
    const ann = await town.person("Ann", "editor");
    const operation = await begin(town, ann, "files mkdir /a");
    await town.run("files mkdir /a/b", ann);
    await town.put("/a/b/c.txt", "Ann's", ann);
    const { body } = await town.backend.type(ann, `operations undo ${operation} --dry-run`);
    expect(body.preview?.changes).toMatchObject([
      { action: "delete", type: "folder", name: "/a", before: { files: 1, folders: 1 } },
      { action: "delete", type: "folder", name: "/a/b" },
      { action: "delete", type: "file", name: "/a/b/c.txt" },
    ]);
    const undone = await town.undo(operation, ann);
    expect(await town.tree()).toEqual([]);
    expect((await town.undo(undone.body.operation, ann)).status).toBe(200);
    expect(await town.cat("/a/b/c.txt")).toBe("Ann's");
  });
});
