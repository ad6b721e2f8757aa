import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { referencePages } from "./reference/reference-pages.ts";

/** Writes docs/reference from what the code declares: `node tools/reference.ts write`. */
if (process.argv[2] !== "write") {
  console.error("usage: npm run docs:reference");
  process.exit(2);
}
for (const [path, text] of Object.entries(await referencePages())) {
  const file = resolve(import.meta.dirname, "..", path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
// Metrics watch the process, and would keep it alive.
process.exit();
