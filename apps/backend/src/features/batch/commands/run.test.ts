import { expect, test } from "vitest";
import { FilesTown } from "../../../../testing/files-test.ts";
import { TestBackend } from "../../../../testing/test-backend.ts";

const backend = await TestBackend.start();
const town = await FilesTown.build(backend, await backend.addTenant(), "Desk");
const { token } = town;
const batch = (lines: string[], ...more: string[]) =>
  backend.type(token, ["batch", "run", ...lines, "--workspace", "desk", ...more]);
const paths = async () => {
  const { nodes } = await backend.run<{ nodes: { path: string }[] }>(token, "files tree / --workspace desk");
  return nodes.map(({ path }) => path).sort();
};

test("lines run in order, later ones see what earlier ones did, and one undo takes everything back", async () => {
  await town.put("/q1.txt", "one");
  await town.put("/q2.txt", "two");
  const before = await paths();
  const done = await batch([
    "files mkdir '/year 2025'",
    "files move /q1.txt '/year 2025'",
    "svc files rename '/year 2025/q1.txt' first.txt\n# a comment\nfiles move /q2.txt '/year 2025'",
  ]);
  expect(done.body).toMatchObject({
    committed: true,
    data: {
      items: [
        { command: "files mkdir", data: { path: "/year 2025" } },
        { command: "files move" },
        { command: "files rename", data: { path: "/year 2025/first.txt" } },
        { command: "files move" },
      ],
    },
  });
  const after = ["/year 2025", "/year 2025/first.txt", "/year 2025/q2.txt"];
  expect(await paths()).toEqual(after);
  const undone = await backend.type(token, ["undo", done.body.operation ?? ""]);
  expect(undone.body).toMatchObject({ committed: true });
  expect(await paths()).toEqual(before);
  // An undo can be undone.
  await backend.run(token, ["undo", undone.body.operation ?? ""]);
  expect(await paths()).toEqual(after);
});

test("if one line is refused, nothing happens, and the answer says which", async () => {
  const before = await paths();
  const { status, body } = await batch(["files mkdir /new", "files move /nowhere /new"]);
  expect({ status, detail: body.detail }).toEqual({
    status: 404,
    detail: "Line 2, `files move`: `/nowhere` does not exist, or you do not have access to it.",
  });
  expect(await paths()).toEqual(before);
});

test.each([
  ["files list", "changes nothing"],
  ["trash purge file_01h455vb4pex5vsknk084sn02q", "cannot be undone"],
  ["files put ./a /a", "needs a local file"],
  ["batch run 'files mkdir /a'", "is one itself"],
  ["access grant / Ann", "changes who can do what"],
  ["administrators add Ann", "changes who can do what"],
  ["budget set --limit 5", "changes who can do what"],
  ["files mkdir $'/a\\0'", "not understood"],
  ["files mkdir /a --dry-run", "belong to the whole batch"],
  ["files mkdir '/a", "not closed"],
  ["files --help", "Help is not a change"],
  ["files frobnicate", "frobnicate"],
  ["# nothing", "no lines"],
])("%s cannot be in a batch", async (line, why) => {
  const { status, body } = await batch([line]);
  expect({ status, detail: body.detail }).toEqual({ status: 400, detail: expect.stringContaining(why) });
});

test("lines are counted with comments and empty ones", async () => {
  const { body } = await batch(["# first\n\nfiles mkdir /counted", "files move /nowhere /counted"]);
  expect(body.detail).toContain("Line 4, ");
});

test("more lines than it takes are refused before any is run", async () => {
  const { body } = await batch([Array(201).fill("files mkdir /many").join("\n")]);
  expect(body.detail).toBe("These are 201 lines, and 200 are the most.");
});

test("an AI member previews, and commits with the token", async () => {
  const robot = await town.tenant.addPerson("Robot", { kind: "ai" });
  await backend.run(town.tenant.token, "members add Robot --role owner --workspace desk");
  const ask = (lines: string[], ...more: string[]) =>
    backend.type(robot.token, ["batch", "run", ...lines, "--workspace", "desk", ...more]);
  const lines = ["files mkdir /robot", "files mkdir /robot/inside"];
  const previewed = await ask(lines);
  expect(previewed.body).toMatchObject({ committed: false, preview: { changes: [{}, {}] } });
  const confirmed = await ask(lines, "--confirm", previewed.body.preview?.token ?? "");
  expect(confirmed.body.committed).toBe(true);
});

test("a line without its scope is refused in a batch too", async () => {
  const narrow = await town.tenant.addPerson("Narrow", { scopes: ["files:read", "batch:write"] });
  const refused = await backend.type(narrow.token, ["batch", "run", "files mkdir /a", "--workspace", "desk"]);
  expect(refused.body.detail).toBe("Line 1, `files mkdir`: This credential lacks the scope files:write.");
});
