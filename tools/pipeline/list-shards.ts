import { relative } from "node:path";
import { createVitest, parseCLI } from "vitest/node";

/**
 * `node tools/pipeline/list-shards.ts '<vitest command>' 1/4 2/4 …`: the files that the command runs, without a shard and
 * with each, as one line of JSON. Like vitest itself, it asks the sequencer of vitest.config.ts.
 */
const [command = "", ...shards] = process.argv.slice(2);
const vitest = await createVitest("test", { ...parseCLI(command).options, watch: false });
const specifications = await vitest.globTestSpecifications();
const sequencer = new vitest.config.sequence.sequencer(vitest);
const names = (some: typeof specifications) => some.map(({ moduleId }) => relative(process.cwd(), moduleId));

const files: Record<string, string[]> = { all: names(specifications) };
for (const shard of shards) {
  const [index = 0, count = 0] = shard.split("/").map(Number);
  vitest.config.shard = { index, count };
  files[shard] = names(await sequencer.shard([...specifications]));
}
console.log(JSON.stringify(files));
await vitest.close();
