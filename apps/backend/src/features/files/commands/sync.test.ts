import type { UploadAnswer } from "@svc/protocol/exchange";
import { sendSources } from "@svc/testing/send-tree";
import { describe, expect } from "vitest";
import { type FilesTown, test } from "../../../../testing/files-test.ts";
import type { Person } from "../../../../testing/person.ts";
import { statementsOf } from "../../../../testing/statements-of.ts";
import type { CliReply } from "../../../../testing/test-backend.ts";

type Files = Record<string, string>;

const before: Files = { "same.txt": "same", "old.txt": "old", "gone.txt": "gone", "gone/deep/x.txt": "x" };
const after: Files = { "same.txt": "same", "old.txt": "new", "added/y.txt": "y" };

const sync = (person: Person, files: Files, more = "") =>
  person.putFolder(`files sync ./box /box${more}`, files);

/** What the server asked for on the way, by kind, and its last answer. */
async function exchange({ backend, token }: Person, line: string[], files: Files) {
  const wanted = new Set<string>();
  const answer = await sendSources<CliReply>(() => files, {
    type: async (request) => {
      const reply = await backend.type(token, line, { request });
      const { uploads = [] } = reply.body as unknown as Partial<UploadAnswer>;
      for (const { wants } of uploads) wanted.add(wants);
      return reply;
    },
    post: async (url, payload, mediaType) => {
      const headers = { authorization: `Bearer ${token}`, "content-type": mediaType };
      return (await backend.server.inject({ method: "POST", url, headers, payload })).body;
    },
  });
  return { wanted: [...wanted], answer };
}

async function state(town: FilesTown): Promise<unknown> {
  const paths = (await town.tree()).sort();
  const files = paths.filter((path) => !path.endsWith("/"));
  const stats = await Promise.all(
    files.map((path) => town.run<{ id: string; contentVersion: number }>(["files", "stat", path])),
  );
  const texts = await Promise.all(files.map((path) => town.cat(path)));
  return [paths, stats.map(({ id, contentVersion }) => [id, contentVersion]), texts];
}

test("sends what is new or changed, keeps the rest, and does nothing the second time", async ({ town }) => {
  await sync(town, before);
  const { body } = await sync(town, after);
  expect(body.data).toEqual({
    path: "/box",
    new: 2,
    changed: 1,
    unchanged: 1,
    deleted: 0,
    kept: 4,
    leftOut: 0,
  });
  expect(await town.cat("/box/old.txt")).toBe("new");
  expect(await town.cat("/box/gone.txt")).toBe("gone");
  const again = await exchange(town, town.words("files sync ./box /box"), after);
  expect(again.wanted).toEqual(["manifest", "digests"]);
  expect(again.answer.body).toMatchObject({
    exitCode: 0,
    data: { new: 0, changed: 0, unchanged: 4, kept: 4 },
  });
  expect(again.answer.body.operation).toBeUndefined();
});

test("with --delete the tree is the same; one undo brings everything back, and one redo takes it away", async ({
  town,
}) => {
  await sync(town, before);
  const first = await state(town);
  const { body } = await sync(town, after, " --delete");
  expect(body.data).toMatchObject({ new: 2, changed: 1, unchanged: 1, deleted: 4, kept: 0 });
  const second = await state(town);
  expect((await town.tree()).sort()).toEqual([
    "/box/",
    "/box/added/",
    "/box/added/y.txt",
    "/box/old.txt",
    "/box/same.txt",
  ]);
  expect(await town.run("trash list")).toMatchObject({ items: { length: 2 } });
  const undone = await town.undo(body.operation);
  expect(await state(town)).toEqual(first);
  await town.undo(undone.body.operation);
  expect(await state(town)).toEqual(second);
});

test("a preview asks for no contents, and shows the plan", async ({ town }) => {
  await sync(town, before);
  const line = town.words("files sync ./box /box --delete --dry-run");
  const { wanted, answer } = await exchange(town, line, after);
  expect(wanted).toEqual(["manifest", "digests"]);
  expect(answer.body).toMatchObject({ committed: false, data: { new: 2, changed: 1, deleted: 4 } });
  const { body } = await town.backend.sendFolder(town.token, line, after, { want: "text" });
  const [plan, , ...lines] = body.text?.split("\n") ?? [];
  expect(plan).toBe("Sync /box (2 new, 1 changed, 1 unchanged, 4 deleted)");
  expect(lines.slice(0, 2)).toEqual(['  delete folder "/box/gone"', '  delete file "/box/gone.txt"']);
  expect(await town.cat("/box/old.txt")).toBe("old");
  expect(await town.run("trash list")).toMatchObject({ items: [] });
});

test("says in words what it did", async ({ town }) => {
  const say = async (files: Files, more = "") =>
    (
      await town.backend.sendFolder(town.token, town.words(`files sync ./box /box${more}`), files, {
        want: "text",
      })
    ).body.text?.split("\n")[0];
  expect(await say(before)).toBe("Synced /box (7 new)");
  expect(await say(after)).toBe("Synced /box (2 new, 1 changed, 1 unchanged, 4 kept)");
  expect(await say(after)).toBe("/box is unchanged (4 kept)");
});

test("many are deleted in few statements", async ({ town }) => {
  const many = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`${index}.txt`, `${index}`]));
  await sync(town, many);
  const sent = await statementsOf(async () => {
    expect((await sync(town, {}, " --delete")).body.data).toMatchObject({ deleted: 300 });
  }, /set trashed_at =/);
  // Most of them index texts, in batches.
  expect(sent.length).toBeLessThanOrEqual(100);
});

describe("the target", () => {
  test.for(["/new", "/new/", "new", "/x/../new"])("%s is the folder itself", async (target, { town }) => {
    for (const _ of [1, 2]) await town.putFolder(["files", "sync", "./box", target], { "a.txt": "a" });
    expect((await town.tree()).sort()).toEqual(["/new/", "/new/a.txt"]);
  });

  test("can be an id, or the workspace root", async ({ town }) => {
    const { id } = await town.run<{ id: string }>("files mkdir /box");
    await town.putFolder(["files", "sync", "./site", id], { "a.txt": "a" });
    expect((await town.tree()).sort()).toEqual(["/box/", "/box/a.txt"]);
    const { body } = await town.putFolder("files sync ./site / --delete", { "b.txt": "b" });
    expect(body.data).toMatchObject({ path: "/", new: 1, deleted: 2 });
    expect(await town.tree()).toEqual(["/b.txt"]);
    await town.undo(body.operation);
    expect((await town.tree()).sort()).toEqual(["/box/", "/box/a.txt"]);
  });

  test("needs an existing folder above it, or --parents", async ({ town }) => {
    const line = "files sync ./box /a/b/c/";
    expect((await town.type(line)).body.code).toBe("not_found");
    const { body } = await town.putFolder(`${line} --parents`, { "x.txt": "x" });
    expect((await town.tree()).sort()).toEqual(["/a/", "/a/b/", "/a/b/c/", "/a/b/c/x.txt"]);
    await town.undo(body.operation);
    expect(await town.tree()).toEqual([]);
    expect((await town.type("files sync ./box /a/con --parents")).body.code).toBe("invalid_arguments");
  });

  test("and what is in it must be of the same kind, and the source a folder", async ({ town }) => {
    await town.put("/file.txt", "x");
    expect((await town.type("files sync ./box /file.txt")).body).toMatchObject({
      code: "conflict",
      detail: "/file.txt is a file, not a folder.",
    });
    await sync(town, { "a/x.txt": "x", b: "b" });
    const { wanted, answer } = await exchange(town, town.words("files sync ./box /box --delete"), {
      a: "file",
      "b/y.txt": "y",
    });
    expect(wanted).toEqual(["manifest"]);
    expect(answer.body).toMatchObject({ code: "conflict" });
    expect(answer.body.detail).toContain("/box/a is a folder, not a file.");
    expect(answer.body.detail).toContain("/box/b is a file, not a folder.");
    expect((await town.send("files sync ./box.txt /box", "x")).body.code).toBe("usage");
    expect((await town.type("files sync - /box")).body.code).toBe("usage");
  });
});

describe("what is excluded", () => {
  const exclude = " --delete --exclude *.log --exclude cache";

  test("is neither sent nor deleted", async ({ town }) => {
    await sync(town, { "a.txt": "a", "run.log": "old", "cache/x.txt": "x", "gone.txt": "gone" });
    const { body } = await sync(town, { "a.txt": "a", "run.log": "new", "cache/y.txt": "y" }, exclude);
    expect(body.data).toMatchObject({ new: 0, changed: 0, deleted: 1, kept: 0, leftOut: 2 });
    expect(await town.cat("/box/run.log")).toBe("old");
    expect((await town.tree()).sort()).toEqual([
      "/box/",
      "/box/a.txt",
      "/box/cache/",
      "/box/cache/x.txt",
      "/box/run.log",
    ]);
  });

  test("keeps the folders that it is in, and nothing else in them", async ({ town }) => {
    await sync(town, { "a/b/run.log": "log", "a/b/x.txt": "x", "a/c/y.txt": "y" });
    const { body } = await sync(town, {}, exclude);
    expect(body.data).toMatchObject({ deleted: 3, kept: 2 });
    expect((await town.tree()).sort()).toEqual(["/box/", "/box/a/", "/box/a/b/", "/box/a/b/run.log"]);
    await town.undo(body.operation);
    expect(await town.cat("/box/a/c/y.txt")).toBe("y");
    expect(await town.cat("/box/a/b/x.txt")).toBe("x");
  });
});

describe("rights", () => {
  test("viewers and strangers are refused before they announce anything", async ({ town }) => {
    await sync(town, before);
    const [viewer, stranger] = [await town.person("Viola", "viewer"), await town.person("Stranger")];
    expect((await town.as(viewer).type("files sync ./box /box --delete")).body.code).toBe("not_permitted");
    expect((await town.as(stranger).type("files sync ./box /box --delete")).body.code).toBe("not_found");
  });

  test("what an editor may only read is not deleted, and no content is asked for", async ({ town }) => {
    const editor = town.as(await town.person("Ed", "editor"));
    await sync(town, { "plan.txt": "plan", "team/x.txt": "x", "mine.txt": "mine" });
    for (const path of ["/box/plan.txt", "/box/team"]) {
      await town.run(`access restrict ${path}`);
      await town.run(`access grant ${path} Ed --role viewer`);
    }
    const line = (more: string) => editor.words(`files sync ./box /box${more}`);
    const { wanted, answer } = await exchange(editor, line(" --delete"), { "new.txt": "new" });
    expect(wanted).toEqual(["manifest"]);
    expect(answer.body.code).toBe("not_permitted");
    expect(answer.body.detail).toContain("/box/plan.txt");
    expect(answer.body.detail).toContain("/box/team");
    expect(answer.body.detail).not.toContain("mine.txt");
    const kept = await exchange(editor, line(""), { "new.txt": "new" });
    expect(kept.answer.body.data).toMatchObject({ new: 1, kept: 4 });
    const excluded = await exchange(editor, line(" --delete --exclude team --exclude plan.txt"), {});
    expect(excluded.answer.body.data).toMatchObject({ deleted: 2, kept: 0 });
  });

  test("what an editor cannot see stays, and is neither counted nor named", async ({ town }) => {
    const editor = town.as(await town.person("Ed", "editor"));
    await sync(town, { "secret.txt": "secret", "board/minutes.txt": "minutes", "gone.txt": "gone" });
    await town.run("access restrict /box/secret.txt");
    await town.run("access restrict /box/board");
    const preview = await sync(editor, {}, " --delete --dry-run");
    expect(preview.body.preview?.changes.map(({ name }) => name)).toEqual(["/box/gone.txt"]);
    const { body } = await sync(editor, {}, " --delete");
    expect(body.data).toMatchObject({ deleted: 1, kept: 0 });
    expect((await town.tree()).sort()).toEqual([
      "/box/",
      "/box/board/",
      "/box/board/minutes.txt",
      "/box/secret.txt",
    ]);
    expect((await sync(editor, {})).body.data).toMatchObject({ kept: 0 });
  });

  test("a folder goes with what is hidden in it, as with `files delete`, and comes back whole", async ({
    town,
  }) => {
    const editor = town.as(await town.person("Ed", "editor"));
    await sync(town, { "gone/secret.txt": "secret", "gone/open.txt": "open" });
    await town.run("access restrict /box/gone/secret.txt");
    const { body } = await sync(editor, {}, " --delete");
    expect(body.data).toMatchObject({ deleted: 2 });
    expect(JSON.stringify(body)).not.toContain("secret");
    expect(await town.tree()).toEqual(["/box/"]);
    expect((await editor.undo(body.operation)).status).toBe(200);
    expect(await town.cat("/box/gone/secret.txt")).toBe("secret");
    expect(await editor.tree()).not.toContain("/box/gone/secret.txt");
  });

  test("a folder that only leads to something shared is not deleted", async ({ town }) => {
    const guest = town.as(await town.person("Gus"));
    await sync(town, { "way/shared/x.txt": "x", "other.txt": "other" });
    await town.run(`access grant /box/way/shared ${town.tenant.addressOf("Gus")} --role editor`);
    const { body } = await guest.type("files sync ./box /box --delete");
    expect(body.code).toBe("not_permitted");
    const editor = town.as(await town.person("Ed", "editor"));
    await town.run("access restrict /box/way");
    await town.run("access grant /box/way/shared Ed --role editor");
    const refused = await sync(editor, { "other.txt": "other" }, " --delete");
    expect(refused.body).toMatchObject({
      code: "not_permitted",
      detail: expect.stringContaining("/box/way "),
    });
    const inside = await guest.putFolder("files sync ./shared /box/way/shared --delete", {});
    expect(inside.body.data).toMatchObject({ deleted: 1 });
    expect((await town.tree()).sort()).toEqual(["/box/", "/box/other.txt", "/box/way/", "/box/way/shared/"]);
  });

  test("an AI member gets a preview first, and its token deletes nothing that came later", async ({
    town,
  }) => {
    const { token } = await town.tenant.addPerson("Robot", { kind: "ai" });
    await town.as(town.tenant.token).run("members add Robot --role editor");
    const robot = town.as(token);
    await sync(town, { "gone.txt": "gone" });
    const shown = await sync(robot, { "a.txt": "a" }, " --delete");
    expect(shown.body).toMatchObject({ committed: false, data: { deleted: 1 } });
    expect((await sync(robot, { "a.txt": "a" }, " --delete --confirm true")).body.code).toBe(
      "confirmation_required",
    );
    const confirm = ` --delete --confirm ${shown.body.preview?.token}`;
    await town.put("/box/later.txt", "later");
    expect((await sync(robot, { "a.txt": "a" }, confirm)).body.code).toBe("conflict");
    expect((await town.tree()).sort()).toEqual(["/box/", "/box/gone.txt", "/box/later.txt"]);
  });
});
