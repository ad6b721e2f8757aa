import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { hostileFiles } from "./hostile-files.ts";

/** Runs as a separate process, so that the memory for creating the files does not count as reading. */
const [folder = "", ...names] = process.argv.slice(2);
for (const file of hostileFiles) {
  if (names.includes(file.name)) writeFileSync(join(folder, file.name), file.make());
}
