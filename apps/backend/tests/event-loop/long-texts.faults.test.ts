import { afterAll, beforeAll, expect, test } from "vitest";
import { WatchedApi } from "../../testing/loop-watch/watched-api.ts";

let watched: WatchedApi;
beforeAll(async () => {
  watched = await WatchedApi.start();
});
afterAll(() => watched?.close());

/** Milliseconds of an event loop: only a quiet machine keeps them. */
test("2 MB of one ideograph keeps nobody else waiting", { tags: ["nightly"] }, async () => {
  const { caller } = watched.home;
  const content = Buffer.from("漢".repeat(700_000));
  const put = ["files", "put", "./notes.txt", "/", "--workspace", "home"];
  const preview = await watched.during("preview", () => caller.send([...put, "--dry-run"], content));
  expect(preview.status).toBe(200);
  const written = await watched.during("put", () => caller.send(put, content));
  expect(written.status).toBe(200);
  const found = await watched.during("search", () =>
    caller.post({ argv: ["search", "query", "漢", "--workspace", "home"] }),
  );
  expect(found.status).toBe(200);
  process.stdout.write(`${JSON.stringify(watched.worst)}\n`);
  expect(watched.late).toEqual([]);
});
