import { afterAll, beforeAll, expect, test } from "vitest";
import { FilesTown } from "../../../testing/files-test.ts";
import { TestBackend } from "../../../testing/test-backend.ts";
import { untilBlocked } from "../../../testing/worker-test.ts";
import { defineListener, Listeners } from "../../platform/commands/listeners.ts";

let backend: TestBackend;
let town: FilesTown;
/** If set, a change waits for it inside its transaction. */
let pause: { kinds: readonly string[]; reached: () => void; until: Promise<void> } | undefined;

beforeAll(async () => {
  const waiting = (["NodeChangedEvent", "WorkspaceChangedEvent"] as const).map((event) =>
    defineListener({
      event,
      async run(_context, { kind }: { kind: string }) {
        if (!pause?.kinds.includes(kind)) return;
        pause.reached();
        await pause.until;
      },
    }),
  );
  backend = await TestBackend.start({ listeners: new Listeners(waiting) });
  town = await FilesTown.build(backend, await backend.addTenant(), "Town");
});
afterAll(() => backend.close());

test("a file put into a folder while the folder is being restricted is restricted too", async () => {
  const viewer = await town.person("Viola", "viewer");
  await town.run("files mkdir /board");
  await town.run("files mkdir /board/deep");

  const { held: making, release } = await holdAt(["CREATED"], () => town.type("files mkdir /board/deep/new"));
  const restricting = town.type("access restrict /board");
  await untilBlocked(backend.testDatabase);
  release();

  expect((await making).status).toBe(200);
  expect((await restricting).status).toBe(200);
  expect((await town.as(viewer).type("files stat /board/deep/new")).body.code).toBe("not_found");
});

test("a listener that throws fails the change", async () => {
  const released = Promise.withResolvers<void>();
  pause = {
    kinds: ["CREATED"],
    reached: () => released.reject(new Error("not today")),
    until: released.promise,
  };
  const { status } = await town.backend.whileBroken(() => town.type("files mkdir /never"));
  expect(status).toBe(500);
  pause = undefined;
  expect(await town.tree()).not.toContain("/never/");
});

/** Each takes away the folder that files are being put into, to where they are found afterwards. */
const takers: { line: string; moved?: string }[] = [
  { line: "files delete /taken" },
  { line: "files move /taken /elsewhere", moved: "/elsewhere" },
  { line: "files rename /taken elsewhere", moved: "/elsewhere" },
  { line: "files sync ./empty / --delete" },
  { line: "workspaces delete" },
];

test.for(takers)("$line waits for a put into the folder, and says so", async ({ line, moved }) => {
  const own = await townWithFolder();
  const { held: putting, release } = await holdAt(["CREATED"], () => own.putFolder(put, files));
  const taking = take(own, line);
  await untilBlocked(backend.testDatabase, taking);
  release();

  expect((await putting).body).toMatchObject({ committed: true, data: { path: "/taken/three", files: 3 } });
  const { told, answer } = await taking;
  expect(answer).toMatchObject({ committed: true });
  if (!line.startsWith("files sync")) {
    expect(told).toEqual([
      { kind: "progress", label: "Waiting for another change in this workspace", done: 0 },
    ]);
  }
  const where = (folder: string) =>
    [folder, "/three/", "/three/a", "/three/b", "/three/c"].map((path, index) =>
      index === 0 ? `${path}/` : `${folder}${path}`,
    );
  expect(await treeOf(own)).toEqual(moved === undefined ? [] : where(moved));
  expect((await own.undo(answer.operation)).status).toBe(200);
  expect(await treeOf(own)).toEqual(where("/taken"));
});

test.for(takers)(
  "a put into the folder that $line takes meanwhile is refused as a whole",
  async ({ line }) => {
    const own = await townWithFolder();
    const kinds = ["MOVED", "RENAMED", "TRASHED", "CHANGED"];
    const { held: taking, release } = await holdAt(kinds, () => take(own, line));
    // An administrator: what they may do does not end with the workspace.
    const putting = own.as(own.tenant.token).putFolder(put, files);
    await untilBlocked(backend.testDatabase, putting);
    release();

    const { answer } = await taking;
    expect(answer).toMatchObject({ committed: true });
    expect((await putting).body).toMatchObject({ code: "not_found" });
    expect((await own.undo(answer.operation)).status).toBe(200);
    expect(await treeOf(own)).toEqual(["/taken/"]);
  },
);

test("an administrator makes no folder in a workspace that is deleted meanwhile", async () => {
  const own = await townWithFolder();
  const { held: taking, release } = await holdAt(["CHANGED"], () => take(own, "workspaces delete"));
  const making = own.as(own.tenant.token).type("files mkdir /taken/late");
  await untilBlocked(backend.testDatabase, making);
  release();
  expect((await taking).answer).toMatchObject({ committed: true });
  expect((await making).body).toMatchObject({ code: "not_found" });
});

test("a file is deleted without waiting for a put into another folder", async () => {
  const own = await townWithFolder();
  await own.put("/x.txt", "x");
  const { held: putting, release } = await holdAt(["CREATED"], () => own.putFolder(put, files));
  expect((await own.type("files delete /x.txt")).body).toMatchObject({ committed: true });
  release();
  expect((await putting).body).toMatchObject({ committed: true });
});

const put = "files put ./three /taken/";
const files = { a: "1", b: "2", c: "3" };

async function townWithFolder(): Promise<FilesTown> {
  const own = await FilesTown.build(backend, await backend.addTenant(), "Own");
  await own.run("files mkdir /taken");
  return own;
}

/** Begins a call, and returns when it is in its transaction at a change of one of these kinds, where it stays. */
async function holdAt<T>(kinds: readonly string[], begin: () => Promise<T>) {
  const reached = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  pause = { kinds, reached: reached.resolve, until: released.promise };
  const held = begin();
  await reached.promise;
  pause = undefined;
  return { held, release: released.resolve };
}

/** What is told while it waits, and its answer. A sync sends a manifest and tells nothing here. */
async function take(own: FilesTown, line: string) {
  if (line.startsWith("files sync")) return { told: [], answer: (await own.putFolder(line, {})).body };
  const argv = line === "workspaces delete" ? [...line.split(" "), own.slug] : own.words(line);
  const { body } = await backend.server.inject({
    method: "POST",
    url: "/api/v1/cli",
    headers: { authorization: `Bearer ${own.owner}`, accept: "application/x-ndjson" },
    payload: { argv },
  });
  const lines = body.trimEnd().split("\n");
  return {
    told: lines.slice(0, -1).map((text) => JSON.parse(text)),
    answer: JSON.parse(lines.at(-1) ?? "") as { committed?: boolean; operation?: string },
  };
}

async function treeOf(own: FilesTown): Promise<string[]> {
  const { status } = await own.type("files tree /");
  return status === 200 ? own.tree() : [];
}
