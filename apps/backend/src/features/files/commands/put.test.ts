import { faultSize } from "@svc/testing/fault-size";
import { describe, expect } from "vitest";
import { test } from "../../../../testing/files-test.ts";
import { statementsOf } from "../../../../testing/statements-of.ts";

test("stores a file under its name in an existing folder, with its text readable at once", async ({
  town,
}) => {
  await town.run("files mkdir /notes");
  const { body } = await town.backend.send(
    town.owner,
    town.words("files put ./deep/todo.md /notes/"),
    "# To do\n",
  );
  expect(body.data).toMatchObject({ path: "/notes/todo.md", kind: "file", size: 8, version: 1, text: "ok" });
  expect(await town.cat("/notes/todo.md")).toBe("# To do\n");
});

test("`file:` marks a word as a file and is not part of its name", async ({ town }) => {
  for (const [source, name] of Object.entries({
    "file:todo.md": "todo.md",
    "file:/abs/plan.md": "plan.md",
  })) {
    const { body } = await town.backend.send(town.owner, town.words(["files", "put", source, "/"]), source);
    expect(body.data).toMatchObject({ path: `/${name}` });
  }
});

test("over an existing file it becomes the next version, and undo restores the previous one", async ({
  town,
}) => {
  await town.put("/a.txt", "one");
  const { body } = await town.put("/a.txt", "two");
  expect(body.data).toMatchObject({ version: 2 });
  expect(await town.cat("/a.txt")).toBe("two");
  expect((await town.undo(body.operation)).status).toBe(200);
  expect(await town.cat("/a.txt")).toBe("one");
  expect(await town.run("files stat /a.txt")).toMatchObject({ contentVersion: 1 });
});

test("undo of a new file moves it to the trash", async ({ town }) => {
  const { body } = await town.put("/a.txt", "one");
  await town.undo(body.operation);
  expect(await town.tree()).toEqual([]);
  expect(await town.run("trash list")).toMatchObject({ items: [{ name: "a.txt" }] });
});

test("putting the same content twice succeeds and makes no version", async ({ town }) => {
  await town.put("/a.txt", "one");
  const { body } = await town.put("/a.txt", "one");
  expect(body).toMatchObject({ exitCode: 0, data: { unchanged: 1, version: 1 } });
  expect(body.operation).toBeUndefined();
  expect(await town.run("files versions /a.txt")).toMatchObject({ items: [{ version: 1 }] });
});

test("a preview stores nothing", async ({ town }) => {
  const { body } = await town.backend.send(town.owner, town.words("files put ./a.txt / --dry-run"), "one");
  expect(body).toMatchObject({
    committed: false,
    preview: { changes: [{ action: "create", name: "/a.txt" }] },
  });
  expect(await town.tree()).toEqual([]);
});

test("refuses viewers, and tells strangers that the workspace does not exist", async ({ town }) => {
  const viewer = await town.person("Viola", "viewer");
  const stranger = await town.person("Stranger");
  expect((await town.as(viewer).put("/a.txt", "one")).body.code).toBe("not_permitted");
  expect((await town.as(stranger).put("/a.txt", "one")).body.code).toBe("not_found");
});

test.for([
  ["/missing/a.txt", "not_found"],
  ["/a\u202Etxt.exe", "invalid_arguments"],
  ["/CON", "invalid_arguments"],
  [`/${"x".repeat(256)}`, "invalid_arguments"],
  ["/a\\b", "invalid_arguments"],
] as const)("refuses %s with %s", async ([path, code], { town }) => {
  const { body } = await town.backend.send(town.owner, town.words(["files", "put", "./x", path]), "one");
  expect(body.code).toBe(code);
});

test("treats Unicode compositions of one name as the same name", async ({ town }) => {
  await town.put("/Caf\u0065\u0301.txt", "one");
  expect(await town.cat("/Caf\u00e9.txt")).toBe("one");
  expect((await town.put("/Caf\u00e9.txt", "two")).body.data).toMatchObject({ version: 2 });
});

test("keeps an unreadable file, and reports its outcome", async ({ town }) => {
  const { body } = await town.put("/broken.pdf", "%PDF-1.7 nothing of the kind");
  expect(body).toMatchObject({ committed: true, data: { path: "/broken.pdf", text: "crash" } });
});

test("uploads a folder with everything in it, empty folders too, and undo removes it", async ({ town }) => {
  const { body } = await town.putFolder("files put ./reports /", {
    "q1/a.txt": "one",
    "q1/deep/b.md": "two",
    "empty/": "",
    "top.txt": "one",
  });
  expect(body.data).toMatchObject({ path: "/reports", kind: "folder", files: 3, unchanged: 0 });
  expect((await town.tree()).sort()).toEqual([
    "/reports/",
    "/reports/empty/",
    "/reports/q1/",
    "/reports/q1/a.txt",
    "/reports/q1/deep/",
    "/reports/q1/deep/b.md",
    "/reports/top.txt",
  ]);
  expect(await town.cat("/reports/q1/deep/b.md")).toBe("two");
  await town.undo(body.operation);
  expect(await town.tree()).toEqual([]);
});

test("over an existing folder it adds new files, versions changed ones and removes nothing; undo reverts just that", async ({
  town,
}) => {
  await town.putFolder("files put ./reports /", {
    "same.txt": "same",
    "old.txt": "old",
    "kept.txt": "kept",
  });
  const { body } = await town.putFolder("files put ./reports /", {
    "same.txt": "same",
    "old.txt": "new",
    "added/x.txt": "x",
  });
  expect(body.data).toMatchObject({ files: 2, unchanged: 1 });
  expect(await town.cat("/reports/old.txt")).toBe("new");
  await town.undo(body.operation);
  expect(await town.cat("/reports/old.txt")).toBe("old");
  expect((await town.tree()).sort()).toEqual([
    "/reports/",
    "/reports/kept.txt",
    "/reports/old.txt",
    "/reports/same.txt",
  ]);
});

test("a folder is stored in few statements, however many files it has", async ({ town }) => {
  const parts = faultSize(40, 8);
  const files = (word: string) =>
    Object.fromEntries(
      Array.from({ length: parts * 25 }, (_, index) => [
        `part-${index % parts}/deep/file-${index}.txt`,
        `${index % 10 === 0 ? word : "same"} ${index}`,
      ]),
    );
  const count = async (word: string) => {
    const put = async () => {
      const { body } = await town.putFolder("files put ./many /", files(word));
      expect(body.detail).toBeUndefined();
    };
    const sent = await statementsOf(put, /app\.node_version/);
    // Texts are indexed in batches, which are not the subject here.
    return sent.filter((text) => !isOfIndex.test(text)).length;
  };
  expect(await count("first")).toBeLessThanOrEqual(30);
  expect(await count("second")).toBeLessThanOrEqual(30);
  expect(await town.run("files list /many/part-0/deep")).toMatchObject({ items: { length: 25 } });
  expect(await town.cat("/many/part-0/deep/file-0.txt")).toBe("second 0");
  expect(await town.cat("/many/part-1/deep/file-1.txt")).toBe("same 1");
  expect(await town.run("files versions /many/part-0/deep/file-0.txt")).toMatchObject({
    items: [{ version: 2 }, { version: 1 }],
  });
  expect(await town.run("files versions /many/part-1/deep/file-1.txt")).toMatchObject({
    items: [{ version: 1 }],
  });
});

const isOfIndex = /app\.(searchable|search_document|search_shelf)|as "isTextCut"/;

test("two names that are one here reject the whole folder, as files and as folders", async ({ town }) => {
  const [one, two] = ["Caf\u00e9", "Cafe\u0301"];
  await town.putFolder("files put ./there /", { "x.txt": "x" });
  for (const [target, end] of [
    ["new", ".txt"],
    ["new", "/x.txt"],
    ["there", ".txt"],
    ["there", "/x.txt"],
  ] as const) {
    const { body } = await town.putFolder(`files put ./${target} /`, { [one + end]: "1", [two + end]: "2" });
    expect(body).toMatchObject({ code: "conflict", detail: expect.stringContaining("was sent twice") });
  }
  expect((await town.tree()).sort()).toEqual(["/there/", "/there/x.txt"]);
});

test("one bad name in a folder rejects the whole folder", async ({ town }) => {
  const { body } = await town.putFolder("files put ./reports /", { "good.txt": "x", "bad\u0007.txt": "y" });
  expect(body.code).toBe("invalid_arguments");
  expect(await town.tree()).toEqual([]);
});

test("an uploaded folder does not bypass a restriction below it", async ({ town }) => {
  const editor = await town.person("Ed", "editor");
  await town.run("files mkdir /reports");
  await town.run("files mkdir /reports/board");
  await town.run("access restrict /reports/board");
  const { body } = await town.as(editor).putFolder("files put ./reports /", { "board/x.txt": "x" });
  expect(body).toMatchObject({ code: "conflict", detail: "/reports/board already exists." });
});

describe("several sources", () => {
  const sources = { "./a": { "x.txt": "x", "deep/y.txt": "y" }, "./b": { "z.txt": "z" }, "./c.txt": "c" };
  const stored = [
    "/t/",
    "/t/a/",
    "/t/a/deep/",
    "/t/a/deep/y.txt",
    "/t/a/x.txt",
    "/t/b/",
    "/t/b/z.txt",
    "/t/c.txt",
  ];

  test.for(["/t", "/t/", "t"])("go into the folder %s, in one operation", async (target, { town }) => {
    await town.run("files mkdir /t");
    const { body } = await town.putSources(["files", "put", ...Object.keys(sources), target], sources);
    expect(body.data).toMatchObject({
      path: "/t",
      items: [
        { path: "/t/a", files: 2 },
        { path: "/t/b", files: 1 },
        { path: "/t/c.txt", version: 1 },
      ],
    });
    expect((await town.tree()).sort()).toEqual(stored);
    expect(await town.cat("/t/a/deep/y.txt")).toBe("y");
    expect(await town.cat("/t/c.txt")).toBe("c");
    await town.undo(body.operation);
    expect(await town.tree()).toEqual(["/t/"]);
  });

  test("can create the folder, and undo removes it", async ({ town }) => {
    const line = `files put ${Object.keys(sources).join(" ")} /t`;
    expect((await town.type(line)).body.code).toBe("not_found");
    expect((await town.type(`${line} --parents`)).body.code).toBe("not_found");
    const { body } = await town.putSources(`${line}/ --parents`, sources);
    expect((await town.tree()).sort()).toEqual(stored);
    await town.undo(body.operation);
    expect(await town.tree()).toEqual([]);
  });

  test("send what changed, and succeed without an operation if nothing did", async ({ town }) => {
    await town.run("files mkdir /t");
    const line = `files put ${Object.keys(sources).join(" ")} /t/`;
    await town.putSources(line, sources);
    const changed = await town.putSources(line, { ...sources, "./c.txt": "d", "./b": { "z.txt": "Z" } });
    expect(changed.body.data).toMatchObject({
      items: [{ files: 0, unchanged: 2 }, { files: 1 }, { version: 2 }],
    });
    await town.undo(changed.body.operation);
    expect([await town.cat("/t/c.txt"), await town.cat("/t/b/z.txt")]).toEqual(["c", "z"]);
    const again = await town.putSources(line, sources);
    expect(again.body).toMatchObject({ exitCode: 0 });
    expect(again.body.operation).toBeUndefined();
  });

  test("are all checked before any content is sent: every problem in one message, and nothing is stored", async ({
    town,
  }) => {
    const editor = town.as(await town.person("Ed", "editor"));
    await town.run("files mkdir /t");
    await town.run("files mkdir /t/c.txt");
    await town.put("/t/b", "a file");
    await town.put("/t/plan.txt", "plan");
    await town.run("access restrict /t/plan.txt");
    const line = "files put ./a ./b ./c.txt ./plan.txt /t/";
    const asked = await editor.putSources(line, { ...sources, "./plan.txt": "guess" });
    expect(asked.body.code).toBe("conflict");
    const kinds = await editor.putSources("files put ./a ./b ./c.txt /t/", sources);
    expect(kinds.body.detail).toContain("/t/b is a file, not a folder.");
    expect(kinds.body.detail).toContain("/t/c.txt is a folder, not a file.");
    const bad = { "./a": { "bad\\1.txt": "x" }, "./new": { "bad\\2.txt": "y", "good.txt": "z" } };
    const names = await editor.putSources("files put ./a ./new /t/", bad);
    expect(names.body).toMatchObject({ code: "invalid_arguments", violations: { length: 2 } });
    expect((await town.tree()).sort()).toEqual(["/t/", "/t/b", "/t/c.txt/", "/t/plan.txt"]);
  });

  test.for([
    [["./a", "./b", "/file.txt"], "conflict"],
    [["./a", "./b", "/missing/"], "not_found"],
    [["./x/a", "./y/a", "/"], "conflict"],
    [["./a", "./a", "/"], "conflict"],
    [["./a", "-", "/"], "usage"],
    [["./a", "./con", "/"], "invalid_arguments"],
    [["./a", "..", "/"], "invalid_arguments"],
    [[...Array.from({ length: 101 }, (_, index) => `./${index}`), "/"], "invalid_arguments"],
  ] as const)("%j is refused at once", async ([words, code], { town }) => {
    await town.put("/file.txt", "x");
    expect((await town.type(["files", "put", ...words])).body.code).toBe(code);
  });

  test("a hundred of them go in one line", async ({ town }) => {
    const many = Object.fromEntries(
      Array.from({ length: 100 }, (_, index) => [`./file-${index}.txt`, `${index}`]),
    );
    const { body } = await town.putSources(["files", "put", ...Object.keys(many), "/"], many);
    expect(body.data).toMatchObject({ items: { length: 100 } });
    expect(await town.tree()).toHaveLength(100);
  });

  test("viewers are refused, with one message", async ({ town }) => {
    const viewer = town.as(await town.person("Viola", "viewer"));
    expect((await viewer.type("files put ./a ./b /")).body).toMatchObject({
      code: "not_permitted",
      detail: "Only an editor of / can do this.",
    });
  });
});

test("content from standard input needs a name", async ({ town }) => {
  const named = await town.backend.send(town.owner, town.words("files put - /today.md"), "today");
  expect(named.body.data).toMatchObject({ path: "/today.md" });
  const unnamed = await town.backend.send(town.owner, town.words("files put - /"), "today");
  expect(unnamed.body).toMatchObject({ code: "usage", hint: expect.stringContaining("/notes/today.md") });
});
