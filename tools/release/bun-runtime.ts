import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import bun from "bun/package.json" with { type: "json" };
import type { Target } from "./targets.ts";

const { version } = bun;

/**
 * The Bun for another system's binary, from npm's configured registry: the address that Bun itself uses may be out of
 * reach.
 */
export function bunRuntime({ runtime, os }: Target): string {
  const cache = join(homedir(), ".cache/svc/bun");
  const folder = join(cache, `${runtime}-${version}`);
  const path = join(folder, "package/bin", os === "windows" ? "bun.exe" : "bun");
  if (existsSync(path)) return path;
  mkdirSync(cache, { recursive: true });
  const unpacked = mkdtempSync(join(cache, ".new-"));
  try {
    const name = `@oven/bun-${runtime}@${version}`;
    const packed = execFileSync("npm", ["pack", "--silent", name], {
      cwd: unpacked,
      encoding: "utf8",
    }).trim();
    execFileSync("tar", ["-xzf", packed], { cwd: unpacked });
    rmSync(join(unpacked, packed));
    rmSync(folder, { recursive: true, force: true });
    renameSync(unpacked, folder);
  } finally {
    rmSync(unpacked, { recursive: true, force: true });
  }
  return path;
}

/**
 * This machine's, as npm has checked it by its digest: the install script of `bun`, which copies it, does not run. An npm
 * before 11.19 runs the script, which moves it.
 */
export function bunProgram(): string {
  const modules = join(import.meta.dirname, "../../node_modules");
  const architecture = process.arch === "arm64" ? "aarch64" : process.arch;
  const checked = join(modules, `@oven/bun-${process.platform}-${architecture}/bin/bun`);
  return existsSync(checked) ? checked : join(modules, ".bin/bun");
}
