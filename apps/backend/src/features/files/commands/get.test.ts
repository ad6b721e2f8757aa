import type { FileAnswer, FolderAnswer } from "@svc/protocol/exchange";
import { expect } from "vitest";
import { test } from "../../../../testing/files-test.ts";

test("answers with an address that serves the exact bytes of any version", async ({ town }) => {
  await town.put("/a.txt", "one");
  await town.put("/a.txt", "two");
  for (const [line, content] of [
    ["files get /a.txt", "two"],
    ["files get /a.txt --version 1", "one"],
  ] as const) {
    const { body } = await town.type(line);
    const file = body as unknown as FileAnswer;
    expect(file).toMatchObject({ kind: "file", name: "a.txt", size: 3, mediaType: "text/plain" });
    const download = await town.backend.server.inject({
      url: file.href,
      headers: { authorization: `Bearer ${town.owner}` },
    });
    expect(download.body).toBe(content);
  }
  expect((await town.type("files get /a.txt --version 9")).body.code).toBe("not_found");
});

test("downloads everything in a folder that the caller can see", async ({ town }) => {
  for (const folder of ["/a", "/a/board", "/a/empty"]) await town.run(["files", "mkdir", folder]);
  await town.put("/a/x.txt", "x");
  await town.put("/a/board/secret.txt", "secret");
  await town.run("access restrict /a/board");
  const viewer = await town.person("Viola", "viewer");
  const { body } = await town.as(viewer).type("files get /a");
  const { kind, name, folders, files, href, next, total } = body as unknown as FolderAnswer;
  expect({ kind, name, folders, next, total }).toEqual({
    kind: "folder",
    name: "a",
    folders: ["empty"],
    total: { files: 1, bytes: 1 },
  });
  expect(files).toMatchObject([{ path: "x.txt", id: expect.stringMatching("^file_"), version: 1, size: 1 }]);
  expect(href).toMatch(/^\/api\/v1\/downloads\//);
  expect((await town.type("files get /a --version 2")).body.code).toBe("usage");
});
