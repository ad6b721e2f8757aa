import { analyserVersion } from "@svc/search/analyser/analyse-text";
import { expect } from "vitest";
import { test } from "../../../../testing/search-test.ts";

test("shows everybody what they can find, and no more", async ({ town }) => {
  await town.run("files mkdir /hidden");
  await town.put("/hidden/a.txt", "apples");
  await town.put("/b.txt", "pears");
  await town.run("access restrict /hidden");
  const viewer = await town.person("Vera", "viewer");
  expect(await town.backend.run(viewer, "search status")).toEqual({
    kinds: [
      { entityType: "FILE", documents: 1 },
      { entityType: "WORKSPACE", documents: 1 },
    ],
  });
  const { body } = await town.backend.type(viewer, "search status", { request: { want: "text" } });
  expect(body.text).toBe("You can find 2 documents:\n  1 files\n  1 workspaces");
  const stranger = await town.person("Sol");
  expect(await town.backend.run(stranger, "search status")).toEqual({ kinds: [] });
});

test("shows administrators what is indexed, what is running, and where", async ({ town }) => {
  await town.put("/a.txt", "apples");
  const status = () => town.backend.run(town.tenant.token, "search status");
  expect(await status()).toMatchObject({
    kinds: [
      { entityType: "FILE", documents: 1, outdated: 0, cut: 0 },
      { entityType: "WORKSPACE", documents: 1 },
    ],
    things: 2,
    reindexing: [],
    shelf: { isOwn: false },
    log: "on",
  });
  const { operation } = await town.backend.run<{ operation: string }>(town.tenant.token, "search reindex");
  expect(await status()).toMatchObject({
    reindexing: [{ scope: "everything", state: "waiting", done: 0, total: 2, operation }],
  });
  const { body } = await town.backend.type(town.tenant.token, "search status", { request: { want: "text" } });
  expect(body.text?.split("\n")).toEqual([
    `Indexed 2 of 2 documents, with analyser ${analyserVersion}:`,
    "  1 files",
    "  1 workspaces",
    `Reindexing everything: waiting, 0 of 2 (${operation})`,
    expect.stringMatching(/^Shelf \d+, shared$/),
    "Queries are kept for 90 days for search insights",
  ]);
});
