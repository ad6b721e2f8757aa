import { afterAll, beforeAll, expect, test } from "vitest";
import { FilesTown } from "../../../testing/files-test.ts";
import { TestBackend } from "../../../testing/test-backend.ts";
import { untilBlocked } from "../../../testing/worker-test.ts";
import { defineListener, Listeners } from "../../platform/commands/listeners.ts";

let backend: TestBackend;
let town: FilesTown;
/** If set, a change waits for it inside its transaction. */
let pause: { reached: () => void; until: Promise<void> } | undefined;

beforeAll(async () => {
  const waiting = defineListener({
    event: "NodeChangedEvent",
    async run(_context, { kind }) {
      if (kind !== "CREATED" || !pause) return;
      pause.reached();
      await pause.until;
    },
  });
  backend = await TestBackend.start({ listeners: new Listeners([waiting]) });
  town = await FilesTown.build(backend, await backend.addTenant(), "Town");
});
afterAll(() => backend.close());

test("a file put into a folder while the folder is being restricted is restricted too", async () => {
  const viewer = await town.person("Viola", "viewer");
  await town.run("files mkdir /board");
  await town.run("files mkdir /board/deep");

  const reached = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  pause = { reached: reached.resolve, until: released.promise };
  const making = town.type("files mkdir /board/deep/new");
  await reached.promise;
  pause = undefined;
  const restricting = town.type("access restrict /board");
  await untilBlocked(backend.testDatabase);
  released.resolve();

  expect((await making).status).toBe(200);
  expect((await restricting).status).toBe(200);
  expect((await town.as(viewer).type("files stat /board/deep/new")).body.code).toBe("not_found");
});

test("a listener that throws fails the change", async () => {
  const released = Promise.withResolvers<void>();
  pause = { reached: () => released.reject(new Error("not today")), until: released.promise };
  const { status } = await town.backend.whileBroken(() => town.type("files mkdir /never"));
  expect(status).toBe(500);
  pause = undefined;
  expect(await town.tree()).not.toContain("/never/");
});
