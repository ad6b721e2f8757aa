import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { packTar, type TarHeader } from "modern-tar";
import { afterEach, beforeEach, expect, test } from "vitest";
import { unpackFolder } from "./staged-folder.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "svc-staged-"));
});
afterEach(() => rm(folder, { recursive: true }));

async function unpack(archive: Uint8Array) {
  const path = join(folder, "archive");
  await writeFile(path, archive);
  return unpackFolder(path, join(folder, "unpacked"), new AbortController().signal);
}

async function unpackEntries(...headers: (Partial<TarHeader> & { name: string; body?: string })[]) {
  return unpack(
    await packTar(
      headers.map(({ body = "", ...header }) => ({ header: { size: body.length, ...header }, body })),
    ),
  );
}

test("returns files and folders by name, and never uses a name as a path on this machine", async () => {
  const entries = await unpackEntries(
    { name: "./", type: "directory" },
    { name: "./a/", type: "directory" },
    { name: "./a/日本.txt", body: "one" },
    { name: "empty.txt" },
  );
  expect(entries.map(({ names, file }) => [names.join("/"), file?.size])).toEqual([
    ["a", undefined],
    ["a/日本.txt", 3],
    ["empty.txt", 0],
  ]);
  const [, first] = entries;
  if (!first?.file) throw new Error("no file");
  expect(await text(first.file.read())).toBe("one");
  expect((await first.file.text()).outcome).toBe("ok");
  expect(await readdir(join(folder, "unpacked"))).toEqual(["1", "2"]);
});

test.for([
  ["a path that leads out", { name: "../../etc/passwd", body: "x" }],
  ["a symbolic link", { name: "link", type: "symlink", linkname: "/etc/passwd" }],
  ["a hard link", { name: "link", type: "link", linkname: "/etc/passwd" }],
  ["a device", { name: "null", type: "character-device" }],
  ["a file without a name", { name: ".", body: "x" }],
] as const)("refuses %s", async ([, header]) => {
  await expect(unpackEntries(header)).rejects.toMatchObject({ code: "invalid_request" });
});

test("an absolute name counts as relative to the folder", async () => {
  const [entry] = await unpackEntries({ name: "/etc/passwd", body: "x" });
  expect(entry?.names).toEqual(["etc", "passwd"]);
});

test.for([
  ["bytes that are not an archive", Buffer.from("no archive at all".repeat(100))],
  ["a truncated archive", undefined],
] as const)("refuses %s", async ([, bytes]) => {
  const whole = await packTar([{ header: { name: "a", size: 2_000 }, body: "x".repeat(2_000) }]);
  await expect(unpack(bytes ?? whole.subarray(0, 1_200))).rejects.toMatchObject({ code: "invalid_request" });
});

test("refuses more entries than one command can take", async () => {
  const many = Array.from({ length: 10_001 }, (_, index) => ({
    name: `f${index}`,
    type: "directory" as const,
  }));
  await expect(unpackEntries(...many)).rejects.toMatchObject({ code: "too_large" });
});
