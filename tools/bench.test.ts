import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "svc-benches-"));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  addBench("good", '{ tables: [{ title: "Files", rows: [{ seconds: 1 }] }], bars: [missed] }');
  addBench("throws", '(() => { throw new Error("the server is gone"); })()');
  addBench("silent", '{ tables: [{ title: "Files", rows: [] }], bars: [] }');
});
afterAll(() => rmSync(folder, { recursive: true }));

function addBench(name: string, report: string): void {
  const bar = 'const missed = { name: "seconds, at most", value: 1, bar: 0.5, ok: false };';
  const bench = `export default { summary: "${name}", run: async () => (${report}) };`;
  writeFileSync(join(folder, `${name}.ts`), `${bar}\n${bench}\n`);
}

interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

function bench(name: string, size: string): Promise<Ended> {
  const words = [join(import.meta.dirname, "bench.ts"), name, "--benches", folder];
  const { promise, resolve } = Promise.withResolvers<Ended>();
  const child = execFile(
    process.execPath,
    words,
    { env: { ...process.env, BENCH_SIZE: size } },
    (_error, stdout, stderr) => resolve({ code: child.exitCode ?? -1, stdout, stderr }),
  );
  return promise;
}

test("at full size a bench that misses a bar fails", async () => {
  const { code, stdout } = await bench("good", "full");
  expect(stdout).toContain("MISSED");
  expect(code).toBe(1);
});

test("in smoke no bar is judged", async () => {
  const { code, stdout } = await bench("good", "smoke");
  expect(stdout).toContain("smoke: bars not judged");
  expect(stdout.trim().split("\n").at(-1)).toBe('{"bench":"good","size":"smoke","ok":true}');
  expect(code).toBe(0);
});

test("in smoke a bench that throws fails, and says why", async () => {
  const { code, stderr } = await bench("throws", "smoke");
  expect(stderr).toContain("the server is gone");
  expect(code).toBe(1);
});

test("in smoke a bench without figures fails, and says why", async () => {
  const { code, stderr } = await bench("silent", "smoke");
  expect(stderr).toContain('The table "Files" has no figures.');
  expect(code).toBe(1);
});

test("a size that does not exist is refused", async () => {
  const { code, stderr } = await bench("good", "tiny");
  expect(stderr).toContain('BENCH_SIZE is "tiny". Use one of: full, smoke.');
  expect(code).toBe(1);
});
