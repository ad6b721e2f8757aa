import { createHash } from "node:crypto";
import { get } from "node:http";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { setImmediate } from "node:timers/promises";
import type { FolderAnswer } from "@svc/protocol/exchange";
import { packFiles } from "@svc/protocol/pack";
import { encodeId } from "@svc/protocol/typed-id";
import { afterEach, describe, expect, vi } from "vitest";
import { type FilesTown, test } from "../../../testing/files-test.ts";
import { statementsOf } from "../../../testing/statements-of.ts";

type Wanted = Pick<FolderAnswer["files"][number], "id" | "version" | "sha256">;

afterEach(() => void vi.restoreAllMocks());

const sha256 = (content: string) => createHash("sha256").update(content).digest("hex");
const entry = (content: string) => `${sha256(content)} ${Buffer.byteLength(content)}\n${content}`;

/** The folder /box, as its owner gets it. */
async function offered(town: FilesTown, contents: Record<string, string>): Promise<FolderAnswer> {
  await town.run("files mkdir /box");
  for (const [name, content] of Object.entries(contents)) await town.put(`/box/${name}`, content);
  return await listed(town, town.owner);
}

async function listed(town: FilesTown, token: string): Promise<FolderAnswer> {
  return (await town.as(token).type("files get /box")).body as unknown as FolderAnswer;
}

function wanted({ id, version, sha256: digest }: Wanted): Wanted {
  return { id, version, sha256: digest };
}

async function pack(town: FilesTown, token: string, href: string, payload: object | string) {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  return await town.backend.server.inject({ method: "POST", url: href, headers, payload });
}

describe("a pack", () => {
  test("has the contents in the order in which they were asked for, each behind its digest and size", async ({
    town,
  }) => {
    const { href, files } = await offered(town, { a: "first", b: "", c: "größer" });
    const [a, b, c] = files.map(wanted) as [Wanted, Wanted, Wanted];
    const { statusCode, body, headers } = await pack(town, town.owner, href, { files: [c, a, b, a] });
    expect(statusCode).toBe(200);
    expect(body).toBe(entry("größer") + entry("first") + entry("") + entry("first"));
    expect(headers).toMatchObject({
      "content-length": String(Buffer.byteLength(body)),
      "content-type": "application/octet-stream",
    });
  });

  test("has the version that was listed, even if there is a newer one", async ({ town }) => {
    const { href, files } = await offered(town, { a: "listed" });
    await town.put("/box/a", "newer");
    expect((await pack(town, town.owner, href, { files: files.map(wanted) })).body).toBe(entry("listed"));
  });

  test("of many files takes as many statements as one of a single file", async ({ town }) => {
    const contents = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`${index}`, `${index}`]));
    const { href, files } = await offered(town, contents);
    const count = async (some: Wanted[]) =>
      (await statementsOf(() => pack(town, town.owner, href, { files: some }), /app\.blob/)).length;
    const ofOne = await count(files.slice(0, 1).map(wanted));
    expect(ofOne).toBeGreaterThan(3);
    expect(await count(files.map(wanted))).toBe(ofOne);
  });

  test("is refused as a whole because of one file that the caller cannot see, without saying which", async ({
    town,
  }) => {
    const { files: all } = await offered(town, { a: "mine", secret: "hidden" });
    const [a, secret] = all.map(wanted) as [Wanted, Wanted];
    const viewer = await town.person("Viola", "viewer");
    const { href } = await listed(town, viewer);
    expect((await pack(town, viewer, href, { files: [a, secret] })).statusCode).toBe(200);
    await town.run("access restrict /box/secret");
    const refused = await pack(town, viewer, href, { files: [a, secret] });
    expect(refused.statusCode).toBe(404);
    expect(refused.json().code).toBe("not_found");
    expect(refused.body).not.toContain(secret.id);
    expect((await pack(town, viewer, href, { files: [a] })).body).toBe(entry("mine"));

    // The same words as for a file that does not exist.
    const nothing = { ...secret, id: encodeId("file", crypto.randomUUID()) };
    const unknown = await pack(town, viewer, href, { files: [a, nothing] });
    expect(withoutRequestId(unknown.json())).toEqual(withoutRequestId(refused.json()));
  });

  test("has nothing of another tenant, by id or by digest", async ({ town, backend }) => {
    const { href, files } = await offered(town, { a: "mine" });
    const [mine] = files.map(wanted) as [Wanted];
    const tenant = await backend.addTenant();
    const slug = (await backend.run<{ slug: string }>(tenant.token, "workspaces create Other")).slug;
    await backend.send(tenant.token, ["files", "put", "./theirs.txt", "/", "--workspace", slug], "theirs");
    const theirs = await backend.run<{ id: string }>(tenant.token, [
      "files",
      "stat",
      "/theirs.txt",
      "--workspace",
      slug,
    ]);
    for (const file of [
      { id: theirs.id, version: 1, sha256: sha256("theirs") },
      { ...mine, id: theirs.id },
      { ...mine, sha256: sha256("theirs") },
    ]) {
      expect((await pack(town, town.owner, href, { files: [mine, file] })).statusCode).toBe(404);
      const url = `${href}/${file.id}/${file.version}/${file.sha256}`;
      const headers = { authorization: `Bearer ${town.owner}` };
      expect((await town.backend.server.inject({ url, headers })).statusCode).toBe(404);
    }
  });

  test("has nothing from the trash, no folder, no undone version and no version that never was", async ({
    town,
  }) => {
    const { href, files } = await offered(town, { a: "one" });
    const [a] = files.map(wanted) as [Wanted];
    const status = async (file: Wanted) => (await pack(town, town.owner, href, { files: [file] })).statusCode;
    const { id: folderId } = await town.run<{ id: string }>("files stat /box");
    expect(await status({ ...a, id: folderId })).toBe(404);
    expect(await status({ ...a, id: folderId.replace("fold_", "file_") })).toBe(404);
    expect(await status({ ...a, version: 2 })).toBe(404);
    expect(await status({ ...a, version: 2_147_483_647 })).toBe(404);
    const { body } = await town.put("/box/a", "two");
    const second = { ...a, version: 2, sha256: sha256("two") };
    expect(await status(second)).toBe(200);
    await town.undo(body.operation);
    expect(await status(second)).toBe(404);
    expect(await status(a)).toBe(200);
    await town.run("files delete /box");
    expect(await status(a)).toBe(404);
  });

  test("may be of any file that the caller can see, in any workspace", async ({ town }) => {
    const { href, files } = await offered(town, { a: "here" });
    const { slug } = await town.backend.run<{ slug: string }>(town.owner, "workspaces create Second");
    await town.backend.send(town.owner, ["files", "put", "./b", "/", "--workspace", slug], "there");
    const { id } = await town.backend.run<{ id: string }>(town.owner, [
      "files",
      "stat",
      "/b",
      "--workspace",
      slug,
    ]);
    const there = { id, version: 1, sha256: sha256("there") };
    const both = { files: [...files.map(wanted), there] };
    expect((await pack(town, town.owner, href, both)).body).toBe(entry("here") + entry("there"));
    await town.backend.run(town.owner, ["workspaces", "delete", slug]);
    expect((await pack(town, town.owner, href, both)).statusCode).toBe(404);
  });

  test("is refused without reading a file, if the request is wrong or asks for too much", async ({
    town,
  }) => {
    const { href, files } = await offered(town, { a: "one", large: "x".repeat(256 * 1_024 + 1) });
    const [a, large] = files.map(wanted) as [Wanted, Wanted];
    const read = vi.spyOn(town.backend.blobStore, "read");
    const status = async (payload: object | string) =>
      (await pack(town, town.owner, href, payload)).statusCode;
    expect(await status({ files: Array(packFiles + 1).fill(a) })).toBe(400);
    expect(await status({ files: Array(50_000).fill(0) })).toBe(400);
    expect(await status({ files: [] })).toBe(400);
    expect(await status({ files: [{ ...a, more: 1 }] })).toBe(400);
    expect(await status({ files: [{ ...a, sha256: "../../x" }] })).toBe(400);
    expect(await status({ files: [{ ...a, version: 2 ** 40 }] })).toBe(400);
    expect(await status({ files: [{ ...a, id: "\0" }] })).toBe(404);
    expect(await status(`{"files":["${"x".repeat(1_100_000)}"]}`)).toBe(413);
    expect(await status({ files: [a, large] })).toBe(413);
    await town.put("/box/large", "y".repeat(200_000));
    const again = (await listed(town, town.owner)).files.find(({ path }) => path === "large") as Wanted;
    expect(await status({ files: Array(42).fill(wanted(again)) })).toBe(413);
    expect(read).not.toHaveBeenCalled();
    expect(await status({ files: Array(41).fill(wanted(again)) })).toBe(200);
  });

  test("is only for its address: that of a single file has no packs, and that of a folder no content", async ({
    town,
  }) => {
    const { href, files } = await offered(town, { a: "one" });
    const single = (await town.type("files get /box/a")).body as unknown as { href: string };
    expect((await pack(town, town.owner, single.href, { files: files.map(wanted) })).statusCode).toBe(404);
    const headers = { authorization: `Bearer ${town.owner}` };
    expect((await town.backend.server.inject({ url: href, headers })).statusCode).toBe(404);
    expect((await pack(town, town.owner, `${href}x`, { files: files.map(wanted) })).statusCode).toBe(404);
  });

  test("reads a few contents ahead, not all of them", async ({ town }) => {
    const contents = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`${index}`, `${index}`]));
    const { href, files } = await offered(town, contents);
    const { blobStore } = town.backend;
    const original = blobStore.read.bind(blobStore);
    let [reading, most] = [0, 0];
    const fiveAtOnce = Promise.withResolvers<void>();
    vi.spyOn(blobStore, "read").mockImplementation(async (...given) => {
      reading += 1;
      most = Math.max(most, reading);
      if (reading > 4) fiveAtOnce.resolve();
      await fiveAtOnce.promise;
      // As many others as may begin meanwhile.
      for (let turn = 0; turn < 20; turn += 1) await setImmediate();
      return (await original(...given)).once("close", () => {
        reading -= 1;
      });
    });
    const { body } = await pack(town, town.owner, href, { files: files.map(wanted) });
    expect(body.length).toBe(files.reduce((sum, { size }) => sum + 66 + String(size).length + size, 0));
    expect(most).toBeGreaterThan(4);
    expect(most).toBeLessThanOrEqual(9);
  });

  test("that cannot be read to its end is cut, and never looks complete", async ({ town }) => {
    const { href, files } = await offered(town, { a: "x".repeat(100_000), b: "y".repeat(100_000), c: "z" });
    const { blobStore, server } = town.backend;
    const original = blobStore.read.bind(blobStore);
    for (const broken of [
      async () => Promise.reject(new Error("gone")),
      async () => Readable.from([Buffer.from("short")]),
    ]) {
      let count = 0;
      vi.spyOn(blobStore, "read").mockImplementation((...given) => {
        count += 1;
        return count === 3 ? broken() : original(...given);
      });
      const address = server.server.listening
        ? server.listeningOrigin
        : await server.listen({ host: "127.0.0.1", port: 0 });
      const cut = town.backend.whileBroken(() =>
        post(address, href, town.owner, { files: files.map(wanted) }),
      );
      await expect(cut).rejects.toThrow();
    }
  });
});

describe("the list of a folder", () => {
  const page = async (town: FilesTown, token: string, href: string, payload: object) =>
    await town.backend.server.inject({
      method: "POST",
      url: `${href}/list`,
      headers: { authorization: `Bearer ${token}` },
      payload,
    });

  test("comes in pages, each as the caller sees it when it is read", async ({ town }) => {
    const names = Array.from({ length: 3_100 }, (_, index) => String(index).padStart(4, "0"));
    const empty = Object.fromEntries(names.map((name) => [`${name}/`, ""]));
    const files = { ...empty, "0001/a.txt": "one", "3050/b.txt": "second" };
    expect((await town.putFolder("files put ./box /", files)).body).toMatchObject({ committed: true });
    const viewer = await town.person("Viola", "viewer");
    const first = await listed(town, viewer);
    expect(first).toEqual(expect.objectContaining({ total: { files: 2, bytes: 9 } }));
    expect(first.files.map(({ path }) => path)).toEqual(["0001/a.txt"]);
    expect([first.folders.length, first.next]).toEqual([2_999, "2998"]);

    const rest = await page(town, viewer, first.href, { after: first.next });
    expect(rest.json().next).toBeUndefined();
    expect([...first.folders, ...rest.json().folders]).toEqual(names);
    expect(rest.json().files).toMatchObject([{ path: "3050/b.txt", version: 1, sha256: sha256("second") }]);

    await town.run("access restrict /box/3050");
    const later = (await page(town, viewer, first.href, { after: first.next })).json();
    expect([later.folders.includes("3050"), later.files]).toEqual([false, []]);
    expect((await listed(town, viewer)).total).toEqual({ files: 1, bytes: 3 });
  });

  test("is for its caller, its folder and the right question", async ({ town }) => {
    const { href } = await offered(town, { a: "one", b: "two" });
    const after = async (payload: object, token = town.owner) =>
      (await page(town, token, href, payload)).statusCode;
    const { files } = (await page(town, town.owner, href, { after: "a" })).json();
    expect(files).toMatchObject([{ path: "b" }]);
    expect(await after({ after: "a" }, await town.person("Viola", "viewer"))).toBe(404);
    expect(await after({ after: "\0" })).toBe(400);
    expect(await after({ after: "a/".repeat(101) })).toBe(400);
    expect(await after({})).toBe(400);
    const single = (await town.type("files get /box/a")).body as unknown as { href: string };
    expect((await page(town, town.owner, single.href, { after: "a" })).statusCode).toBe(404);
    await town.run("files delete /box");
    expect(await after({ after: "a" })).toBe(404);
  });
});

test("a file of a folder comes by range, with the headers of any download", async ({ town }) => {
  const { href, files } = await offered(town, { a: "0123456789" });
  const [{ id, version, sha256: digest }] = files.map(wanted) as [Wanted];
  const url = `${href}/${id}/${version}/${digest}`;
  const fetched = async (more: Record<string, string> = {}, method: "GET" | "HEAD" = "GET") =>
    await town.backend.server.inject({
      method,
      url,
      headers: { authorization: `Bearer ${town.owner}`, ...more },
    });
  expect((await fetched()).body).toBe("0123456789");
  const rest = await fetched({ range: "bytes=7-", "if-range": `"${digest}"` });
  expect([rest.statusCode, rest.body, rest.headers["content-range"]]).toEqual([206, "789", "bytes 7-9/10"]);
  expect((await fetched({ range: "bytes=7-", "if-range": '"another"' })).body).toBe("0123456789");
  expect((await fetched({ range: "bytes=10-" })).statusCode).toBe(416);
  expect((await fetched({}, "HEAD")).headers).toMatchObject({
    "content-length": "10",
    "content-type": "application/octet-stream",
    "content-disposition": "attachment",
    etag: `"${digest}"`,
  });
  for (const wrong of [`${href}/${id}/0/${digest}`, `${href}/${id}/1e0/x`, `${href}/x/1/${digest}`]) {
    const headers = { authorization: `Bearer ${town.owner}` };
    expect((await town.backend.server.inject({ url: wrong, headers })).statusCode).toBe(404);
  }
});

function withoutRequestId({ requestId: _requestId, ...problem }: Record<string, unknown>) {
  return problem;
}

/** Over a real connection, which can be cut. */
function post(address: string, href: string, token: string, body: object): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const request = get(new URL(href, address), { method: "POST", headers }, (answer) => {
      text(answer).then(resolve, reject);
    });
    request.on("error", reject).end(JSON.stringify(body));
  });
}
