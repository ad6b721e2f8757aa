import { createEmbedder } from "@svc/embedding/create-embedder";
import type { Embedder } from "@svc/embedding/embedder";
import { bringLocalModel } from "@svc/testing/embedding-models";
import { benchSize } from "../../bench/bench-size.ts";
import { drawUpTo } from "../../bench/draw-up-to.ts";
import { Dice } from "../../bench/fulltext/words.ts";
import { atLeast, type Bench, type Report } from "../../bench/report.ts";

const texts = benchSize(300, 20);
const megabyte = 1024 * 1024;

export default {
  summary: "embedding without a provider is fast enough: the local model, on one core",
  async run(): Promise<Report> {
    await bringLocalModel();
    const before = process.memoryUsage().rss;
    const embedder = await createEmbedder({ kind: "local" });
    const lengths = [20, 100, 250];
    const rows = [];
    for (const tokens of lengths) rows.push(await measure(embedder, tokens));
    await embedder.close?.();
    const taken = (process.memoryUsage().rss - before) / megabyte;
    return {
      tables: [{ title: `${texts} texts, one after the other`, rows }],
      notes: [`It took ${taken.toFixed(0)} MB of memory.`],
      bars: [
        atLeast("texts of 100 tokens in a second of processor time", rows[1]?.["texts/s of CPU"] ?? 0, 40),
      ],
    };
  },
} satisfies Bench;

async function measure(embedder: Embedder, tokens: number) {
  const dice = new Dice(tokens);
  const drawn = Array.from({ length: texts }, () => drawUpTo(embedder, dice, tokens));
  const options = { purpose: "document", signal: new AbortController().signal } as const;
  await embedder.embed(drawn.slice(0, 10), options);
  const [start, cpu] = [performance.now(), process.cpuUsage()];
  const { tokens: counted } = await embedder.embed(drawn, options);
  const seconds = (performance.now() - start) / 1_000;
  const { user, system } = process.cpuUsage(cpu);
  const cpuSeconds = (user + system) / 1_000_000;
  return {
    "tokens each": (counted ?? 0) / texts,
    "texts/s": texts / seconds,
    "texts/s of CPU": texts / cpuSeconds,
    "tokens/s of CPU": (counted ?? 0) / cpuSeconds,
  };
}
