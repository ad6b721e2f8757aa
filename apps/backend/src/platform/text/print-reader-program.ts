import { readdirSync, readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";

/**
 * Prints the readers as one JavaScript program. Stripping types costs a process 80 ms of CPU, more than everything else
 * for a small document, so it is done once for all readers.
 */
const entry = new URL("./readers/extract-child.ts", import.meta.url);
const folder = new URL("./", entry);
const sources: Record<string, string> = {};
for (const name of readdirSync(folder)) {
  if (!name.endsWith(".ts") || name.endsWith(".test.ts")) continue;
  const file = new URL(name, folder);
  sources[file.href] = stripTypeScriptTypes(readFileSync(file, "utf8"));
}

process.stdout.write(`
import { registerHooks } from "node:module";
const sources = ${JSON.stringify(sources)};
registerHooks({
  load(url, context, next) {
    const source = sources[url];
    return source === undefined ? next(url, context) : { format: "module", source, shortCircuit: true };
  },
});
await import(${JSON.stringify(entry.href)});
`);
