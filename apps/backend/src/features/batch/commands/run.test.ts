import { describe, expect, test } from "vitest";
import { FilesTown } from "../../../../testing/files-test.ts";
import { TestBackend } from "../../../../testing/test-backend.ts";

const backend = await TestBackend.start();
const town = await FilesTown.build(backend, await backend.addTenant(), "Desk");
const { token } = town;
const robot = await town.tenant.addPerson("Robot", { kind: "ai" });
await backend.run(town.tenant.token, "members add Robot --role owner --workspace desk");
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
  ["administrators add Ann", "sets what others may do"],
  ["budget set --limit 5", "sets what others may do"],
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

test.each([
  [["files mkdir /robot", "files rename /robot machine", "files mkdir /machine/inside"]],
  [
    [
      "collections create Tools --field name:text",
      "records create tools --set name=Saw",
      "collections alter tools --add price:number",
    ],
  ],
])("an AI member previews, and commits with the token: %j", async (lines) => {
  const ask = (...more: string[]) =>
    backend.type(robot.token, ["batch", "run", ...lines, "--workspace", "desk", ...more]);
  const previewed = await ask();
  expect(previewed.body).toMatchObject({ committed: false, preview: { changes: [{}, {}, {}] } });
  // Nothing of this exists yet.
  for (const change of previewed.body.preview?.changes ?? []) expect(change).not.toHaveProperty("id");
  const confirmed = await ask("--confirm", previewed.body.preview?.token ?? "");
  expect(confirmed.body.committed).toBe(true);
});

describe("access in a batch", async () => {
  await town.tenant.addPerson("Ann");
  const rin = await town.tenant.addPerson("Rin");
  await backend.run(town.tenant.token, "members add Rin --role owner --workspace desk");
  await backend.run(town.tenant.token, "members add Ann --role viewer --workspace desk");
  const ask = (lines: string[], ...more: string[]) =>
    backend.type(robot.token, ["batch", "run", ...lines, "--workspace", "desk", ...more]);
  const asked = async (lines: string[]) => {
    const { body } = await ask(lines);
    expect(body.code).toBeUndefined();
    const token = body.preview?.token ?? "";
    const { body: waiting } = await ask(lines, "--confirm", token);
    return { token, waiting, approval: /appr_\w+/.exec(waiting.detail ?? "")?.[0] ?? "" };
  };
  const decide = (who: { token: string }, approval: string) =>
    backend.type(who.token, ["approvals", "approve", approval]);

  test("a person approves all of it at once, and each line has its audit entry", async () => {
    const lines = ["files mkdir /for-ann", "access grant /for-ann Ann --role editor"];
    const { token, waiting, approval } = await asked(lines);
    expect(waiting.code).toBe("approval_pending");
    expect((await decide(rin, approval)).body.data).toMatchObject({ state: "approved" });
    const done = await ask(lines, "--confirm", token);
    expect(done.body.committed).toBe(true);
    const { items } = await backend.run<{ items: Record<string, unknown>[] }>(
      town.tenant.token,
      "audit list --limit 3",
    );
    const { operation } = done.body;
    expect(items.toReversed()).toMatchObject([
      { command: "batch run", operation, arguments: expect.stringContaining(approval) },
      { command: "files mkdir", operation, line: 1, arguments: '{"folder":"/for-ann"}' },
      { command: "access grant", operation, line: 2, arguments: expect.stringContaining('"person":"Ann"') },
    ]);
    // What a person approved, an agent does not take back.
    const undone = await backend.type(robot.token, ["undo", operation ?? ""]);
    expect(undone.body.code).toBe("not_permitted");
  });

  test("nobody approves a line that they could not run", async () => {
    const scopes = ["approvals:write", "batch:write", "files:write"];
    const narrow = await town.tenant.addPerson("Narrow", { scopes });
    await backend.run(town.tenant.token, "members add Narrow --role owner --workspace desk");
    const { approval } = await asked(["files mkdir /more", "access grant /more Ann --role viewer"]);
    const { body } = await decide(narrow, approval);
    expect(body.detail).toBe("Line 2, `access grant`: This credential lacks the scope access:write.");
  });

  test.each([
    {
      what: "folders",
      make: ["files mkdir /left --workspace desk", "files mkdir /right --workspace desk"],
      lines: ["files mkdir /left/new", "access grant /left/new Ann --role editor"],
      swap: ["files rename /left mid", "files rename /right left", "files rename /mid right"],
    },
    {
      what: "targets of a move",
      make: ["near", "far", "thing"].map((name) => `files mkdir /${name} --workspace desk`),
      lines: ["files move /thing /near/", "access grant /near/thing Ann --role editor"],
      swap: ["files rename /near mid", "files rename /far near", "files rename /mid far"],
    },
    {
      what: "workspaces",
      make: ["Left", "Right"].flatMap((name) => [
        `workspaces create ${name}`,
        ...["Robot", "Rin"].map((who) => `members add ${who} --role owner --workspace ${name}`),
      ]),
      lines: [
        "files mkdir left:/new",
        "access grant left:/new Ann --role editor",
        "files mkdir right:/another",
      ],
      swap: ["workspaces rename left Mid", "workspaces rename right Left", "workspaces rename mid Right"],
    },
  ])(
    "after an approval, $what that swapped their names make it another batch",
    async ({ make, lines, swap }) => {
      for (const line of make) await backend.run(town.tenant.token, line);
      const { token, approval } = await asked(lines);
      expect((await decide(rin, approval)).body.data).toMatchObject({ state: "approved" });
      for (const line of swap) {
        const { body } = await backend.type(robot.token, `${line} --workspace desk`);
        const renamed = await backend.type(
          robot.token,
          `${line} --workspace desk --confirm ${body.preview?.token}`,
        );
        expect(renamed.body.committed).toBe(true);
      }
      expect((await ask(lines, "--confirm", token)).body.code).toBe("conflict");
    },
  );

  test("owners of the other workspaces approve a batch that makes one", async () => {
    const lines = ["workspaces create Fresh", "files mkdir fresh:/a", "access grant / Ann --role editor"];
    const { token, approval } = await asked(lines);
    expect((await decide(rin, approval)).body.data).toMatchObject({ state: "approved" });
    expect((await ask(lines, "--confirm", token)).body.committed).toBe(true);
  });

  test("an undo has an audit entry for each line, too, and the chain is whole", async () => {
    const lines = ["files mkdir /lent", "# to Ann", "access grant /lent Ann --role editor"];
    const done = await backend.type(rin.token, ["batch", "run", ...lines, "--workspace", "desk"]);
    const undone = await backend.type(rin.token, ["undo", done.body.operation ?? ""]);
    const { operation } = undone.body;
    const { items } = await backend.run<{ items: Record<string, unknown>[] }>(
      town.tenant.token,
      "audit list --limit 3",
    );
    expect(items.toReversed()).toMatchObject([
      { command: "operations undo", operation, arguments: expect.stringContaining("op_") },
      { command: "operations undo", operation, line: 3, arguments: '{"command":"access grant"}' },
      { command: "operations undo", operation, line: 1, arguments: '{"command":"files mkdir"}' },
    ]);
    expect(await backend.run(town.tenant.token, "audit verify")).toMatchObject({ intact: true });
  });

  test("what is not approved does not happen", async () => {
    const lines = ["files mkdir /unasked", "access grant / Ann --role owner"];
    const { token } = await asked(lines);
    expect((await ask(lines, "--confirm", token)).body.code).toBe("approval_pending");
    expect((await ask(lines, "--confirm", "true")).body.code).toBe("confirmation_required");
    expect(await paths()).not.toContain("/unasked");
  });
});

test("a line without its scope is refused in a batch too", async () => {
  const narrow = await town.tenant.addPerson("Reader", { scopes: ["files:read", "batch:write"] });
  const refused = await backend.type(narrow.token, ["batch", "run", "files mkdir /a", "--workspace", "desk"]);
  expect(refused.body.detail).toBe("Line 1, `files mkdir`: This credential lacks the scope files:write.");
});
