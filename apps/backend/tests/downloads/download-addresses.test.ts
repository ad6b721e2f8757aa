import type { FileAnswer, FolderAnswer } from "@svc/protocol/exchange";
import { afterEach, describe, expect, vi } from "vitest";
import { changeScopes } from "../../testing/credentials/change-scopes.ts";
import { type FilesTown, test } from "../../testing/files-test.ts";

afterEach(() => void vi.restoreAllMocks());

function download(town: FilesTown, token: string, href: string, headers: Record<string, string> = {}) {
  return town.backend.server.inject({
    method: "GET",
    url: href,
    headers: { authorization: `Bearer ${token}`, ...headers },
  });
}

/** A file with two versions whose address an editor has, alone and as a part of its folder. */
async function addressed(town: FilesTown) {
  const { token: editor, id } = await town.tenant.addPerson("Ed", {
    scopes: ["files:read", "workspaces:read"],
  });
  await town.type(["members", "add", town.tenant.addressOf("Ed"), "--role", "editor"]);
  await town.run("files mkdir /plans");
  await town.put("/plans/budget.txt", "the first");
  await town.put("/plans/budget.txt", "the second");
  const file = (line: string) =>
    town
      .as(editor)
      .type(line)
      .then(({ body }) => (body as unknown as FileAnswer).href);
  const folder = (await town.as(editor).type("files get /plans")).body as unknown as FolderAnswer;
  const [{ id: fileId, version, sha256 } = { id: "", version: 0, sha256: "" }] = folder.files;
  const hrefs = {
    file: await file("files get /plans/budget.txt"),
    "an earlier version": await file("files get /plans/budget.txt --version 1"),
    "a file of a folder": `${folder.href}/${fileId}/${version}/${sha256}`,
  };
  const pack = async (token: string) =>
    await town.backend.server.inject({
      method: "POST",
      url: folder.href,
      headers: { authorization: `Bearer ${token}` },
      payload: { files: [{ id: fileId, version, sha256 }] },
    });
  const list = async (token: string) =>
    await town.backend.server.inject({
      method: "POST",
      url: `${folder.href}/list`,
      headers: { authorization: `Bearer ${token}` },
      payload: { after: "a" },
    });
  const statuses = async () => [
    ...(await Promise.all(
      Object.values(hrefs).map(async (href) => (await download(town, editor, href)).statusCode),
    )),
    (await pack(editor)).statusCode,
    (await list(editor)).statusCode,
  ];
  expect(await statuses()).toEqual([200, 200, 200, 200, 200]);
  return { editor, id, hrefs, pack, list, statuses };
}

describe("a download address gives no more than its caller's access", () => {
  test.for([
    ["the caller leaves the workspace", "members remove Ed", 404],
    ["the folder is restricted", "access restrict /plans", 404],
    ["the file is deleted", "files delete /plans/budget.txt", 200],
  ] as const)("%s", async ([, line, ofList], { town }) => {
    const { statuses } = await addressed(town);
    await town.run(line);
    expect(await statuses()).toEqual([404, 404, 404, 404, ofList]);
  });

  test("the version is gone", async ({ town }) => {
    const { statuses, hrefs, editor } = await addressed(town);
    const { body } = await town.put("/plans/budget.txt", "the third");
    const { href } = (await town.as(editor).type("files get /plans/budget.txt"))
      .body as unknown as FileAnswer;
    expect((await download(town, editor, href)).body).toBe("the third");
    await town.undo(body.operation);
    expect((await download(town, editor, href)).statusCode).toBe(404);
    expect(await statuses()).toEqual([200, 200, 200, 200, 200]);
    expect((await download(town, editor, hrefs.file, { range: "bytes=4-" })).body).toBe("second");
  });

  test("the credential loses its scope, or is another one", async ({ town }) => {
    const { statuses, hrefs, pack, list, id } = await addressed(town);
    for (const href of Object.values(hrefs)) {
      expect((await download(town, town.owner, href)).statusCode).toBe(404);
    }
    expect((await pack(town.owner)).statusCode).toBe(404);
    expect((await list(town.owner)).statusCode).toBe(404);
    await changeScopes(town.backend, id, ["workspaces:read"]);
    expect(await statuses()).toEqual([403, 403, 403, 403, 403]);
  });

  test("five minutes pass; the same line gives another address, as long as there is access", async ({
    town,
  }) => {
    const { statuses, editor } = await addressed(town);
    const later = new Date(Date.now() + 5 * 60_000 + 1_000);
    vi.spyOn(town.backend.database, "clock").mockResolvedValue(() => later);
    expect(await statuses()).toEqual([410, 410, 410, 410, 410]);
    const { body } = await town.as(editor).type("files get /plans/budget.txt");
    const { href } = body as unknown as FileAnswer;
    expect((await download(town, editor, href, { range: "bytes=4-" })).body).toBe("second");
    await town.run("access restrict /plans");
    expect((await town.as(editor).type("files get /plans/budget.txt")).status).toBe(404);
  });
});
