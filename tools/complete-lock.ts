import { readFileSync, writeFileSync } from "node:fs";

/**
 * Adds to package-lock.json what npm leaves out where a registry does not mirror every platform: the optional binaries
 * of other systems. Without their entries `npm ci` calls the lock out of sync; with them it skips what is not for this
 * system. Run after `npm install` wherever `npm ci` reports "Missing: … from lock file".
 */
interface LockEntry {
  version?: string;
  optional?: boolean;
  os?: string[];
  cpu?: string[];
  optionalDependencies?: Record<string, string>;
}

const systems = [
  "aix",
  "android",
  "darwin",
  "freebsd",
  "linux",
  "netbsd",
  "openbsd",
  "openharmony",
  "sunos",
  "win32",
];
const processors = [
  "arm",
  "arm64",
  "ia32",
  "loong64",
  "mips64el",
  "ppc64",
  "riscv64",
  "s390x",
  "wasm32",
  "x64",
];

const lock = JSON.parse(readFileSync("package-lock.json", "utf8")) as { packages: Record<string, LockEntry> };
const wanted = Object.values(lock.packages).flatMap((entry) =>
  Object.entries(entry.optionalDependencies ?? {}),
);
let added = 0;
for (const [name, range] of wanted) {
  const place = `node_modules/${name}`;
  if (lock.packages[place] || !/^\d+\.\d+\.\d+/.test(range)) continue;
  const words = name.split(/[/-]/);
  const os = systems.filter((system) => words.includes(system));
  const cpu = processors.filter((processor) => words.includes(processor));
  if (os.length === 0 && cpu.length === 0) continue;
  lock.packages[place] = {
    version: range,
    optional: true,
    ...(os.length > 0 ? { os } : {}),
    ...(cpu.length > 0 ? { cpu } : {}),
  };
  added += 1;
}
const sorted = Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1));
writeFileSync(
  "package-lock.json",
  `${JSON.stringify({ ...lock, packages: Object.fromEntries(sorted) }, null, 2)}\n`,
);
console.log(`${added} packages of other systems added to the lock`);
