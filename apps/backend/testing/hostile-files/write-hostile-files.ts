import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { hostileFiles } from "./hostile-files.ts";

/** Run as a process: what memory it takes to make them is not what it takes to read them. */
const [folder = "", ...names] = process.argv.slice(2);
for (const file of hostileFiles) {
  if (names.includes(file.name)) writeFileSync(join(folder, file.name), file.make());
}
