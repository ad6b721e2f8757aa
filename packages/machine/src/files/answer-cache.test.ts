import { chmod, mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { AnswerCache } from "./answer-cache.ts";

let home: string;
let folder: string;
let cache: AnswerCache<string>;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "svc-cache-"));
  folder = join(home, ".cache", "svc", "answers");
  cache = new AnswerCache({ HOME: home }, (value): value is string => typeof value === "string");
});
afterEach(async () => {
  vi.useRealTimers();
  await rm(home, { recursive: true });
});

test("an answer is for its whole key, and for as long as it says", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  await cache.write("mine", 5, "a", ["b"]);
  expect(await cache.read("a", ["b"])).toBe("mine");
  expect(await cache.read("a", ["c"])).toBeUndefined();
  expect(await cache.read("ab")).toBeUndefined();
  vi.advanceTimersByTime(5_000);
  expect(await cache.read("a", ["b"])).toBeUndefined();
  vi.setSystemTime(Date.now() - 6_000);
  expect(await cache.read("a", ["b"])).toBeUndefined();
});

test("is for its owner alone, and is not used if others can read it", async () => {
  await cache.write("mine", 60, "key");
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
  const [file = ""] = await readdir(folder);
  expect((await stat(join(folder, file))).mode & 0o777).toBe(0o600);
  await chmod(folder, 0o755);
  expect(await cache.read("key")).toBeUndefined();
  await cache.write("other", 60, "another");
  expect(await readdir(folder)).toHaveLength(1);
});

test("stays small: 256 answers of 64 kB, and nothing for a moment", async () => {
  for (let index = 0; index < 600; index += 1) await cache.write("x", 60, "secret-token", index);
  const files = await readdir(folder);
  expect(files.length).toBeLessThanOrEqual(256);
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), "utf8")));
  expect(texts.join("")).not.toContain("secret-token");
  await cache.write("x".repeat(70_000), 60, "large");
  await cache.write("x", 0, "none");
  expect(await cache.read("large")).toBeUndefined();
  expect(await cache.read("none")).toBeUndefined();
});

test("does not return a value of another shape", async () => {
  await cache.write("mine", 60, "key");
  const other = new AnswerCache<number>(
    { HOME: home },
    (value): value is number => typeof value === "number",
  );
  expect(await other.read("key")).toBeUndefined();
});
