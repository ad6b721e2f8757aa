import { createHash } from "node:crypto";
import { mkdtemp, rm, stat, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Staging } from "./staging.ts";

let folder: string;
let staging: Staging;
const plenty = 1_000_000;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "svc-staging-"));
  staging = new Staging(folder);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test("keeps what arrived, piece by piece, readable by its owner only", async () => {
  const id = staging.newId();
  expect(await staging.append(id, 0, plenty, Readable.from([Buffer.from("the re")]))).toBe(6);
  expect(await staging.append(id, 6, plenty, Readable.from([Buffer.from("port")]))).toBe(10);
  const file = await staging.open(id, "./report.pdf");
  const sha256 = createHash("sha256").update("the report").digest("hex");
  expect(file).toMatchObject({ path: "./report.pdf", size: 10, sha256 });
  expect(await text(file.read())).toBe("the report");
  expect((await stat(join(folder, "staging", id))).mode & 0o777).toBe(0o600);
});

test("a newer piece that begins where an older one still writes finds out, and overwrites nothing", async () => {
  for (let round = 0; round < 50; round += 1) {
    const id = staging.newId();
    const older = new PassThrough();
    const first = staging.append(id, 0, plenty, older);
    first.catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, 3));
    older.write(Buffer.alloc(60_000, "a"));
    const second = staging.append(id, 0, plenty, Readable.from([Buffer.alloc(30_000, "b")]));
    await Promise.allSettled([second]);
    older.end();
    await Promise.allSettled([first]);
    const file = await staging.open(id, "x").catch(() => undefined);
    const content = file ? await text(file.read()) : "";
    expect([content.length, new Set(content).size]).toEqual([content.length, content === "" ? 0 : 1]);
  }
});

test("says that a piece was cut off, and keeps what came before the cut", async () => {
  const id = staging.newId();
  const cut = new PassThrough();
  const append = staging.append(id, 0, plenty, cut);
  append.catch(() => {});
  cut.write("12345");
  await vi.waitFor(async () => expect(await staging.received(id)).toBe(5), { timeout: 10_000 });
  cut.destroy(new Error("aborted"));
  await expect(append).rejects.toMatchObject({ code: "conflict", message: "The upload was cut off at 5." });
  expect(await staging.received(id)).toBe(5);
});

test("an id is never a path", async () => {
  for (const id of ["../../etc/passwd", "", "a/b", "x".repeat(36)]) {
    await expect(staging.received(id)).rejects.toMatchObject({ code: "not_found" });
  }
});

test("sweeps what nobody came back for in a day, and nothing else", async () => {
  const [old, recent] = [staging.newId(), staging.newId()];
  for (const id of [old, recent]) await staging.append(id, 0, plenty, Readable.from([Buffer.from("x")]));
  const yesterday = new Date(Date.now() - 25 * 60 * 60 * 1_000);
  await utimes(join(folder, "staging", old), yesterday, yesterday);
  expect(await staging.sweep(new Date())).toBe(1);
  expect(await staging.received(old)).toBe(0);
  expect(await staging.received(recent)).toBe(1);
  expect(await new Staging(join(folder, "nowhere")).sweep(new Date())).toBe(0);
});
