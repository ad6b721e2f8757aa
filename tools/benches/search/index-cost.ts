import { benchSize } from "../../bench/bench-size.ts";
import { addFileCaller } from "../../bench/file-caller.ts";
import { Dice, drawText } from "../../bench/fulltext/words.ts";
import { HttpClient } from "../../bench/http-client.ts";
import { startApi } from "../../bench/processes/api-process.ts";
import { type Put, putOverExchange } from "../../bench/put-over-exchange.ts";
import { median } from "../../bench/quantile.ts";
import { atMost, type Bench, type Report } from "../../bench/report.ts";
import { createScratchFolder } from "../../bench/scratch-folder.ts";
import { createSmallDatabase } from "../../bench/small-database.ts";
import { withClient } from "../../bench/with-client.ts";

const filesInRound = benchSize(150, 10);
const rounds = benchSize(7, 2);
const bytes = 4_096;

export default {
  summary: "being searchable costs little: putting a text of 4 kB with and without indexing it",
  async run(): Promise<Report> {
    await using folder = await createScratchFolder();
    await using database = await createSmallDatabase(folder.path);
    const place = { databaseUrl: database.appUrl, folder: folder.path };
    await using indexing = await startApi(place);
    await using other = await startApi({
      ...place,
      preload: new URL("../../bench/processes/without-index.ts", import.meta.url),
    });
    const caller = await addFileCaller({ ...database, url: indexing.url });
    using client = new HttpClient();
    const puts = {
      with: putOverExchange(client, indexing.url, caller),
      without: putOverExchange(client, other.url, caller),
    };
    const dice = new Dice(1);
    await measure(puts.with, "warm-up-with", dice);
    await measure(puts.without, "warm-up-without", dice);
    const measured: Record<keyof typeof puts, number>[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      const order = round % 2 === 0 ? (["with", "without"] as const) : (["without", "with"] as const);
      const figures = { with: 0, without: 0 };
      for (const way of order) figures[way] = await measure(puts[way], `${way}-${round}`, dice);
      console.error(
        `round ${round}: ${figures.with.toFixed(2)} ms with, ${figures.without.toFixed(2)} ms without`,
      );
      measured.push(figures);
    }
    await requireIndexed(database.adminUrl);
    const ratio = median(measured.map((round) => round.with / round.without));
    return {
      tables: [
        {
          title: `a text of ${bytes} bytes, one after the other, ms each`,
          rows: [
            { put: "indexed", ms: median(measured.map((round) => round.with)) },
            { put: "not indexed", ms: median(measured.map((round) => round.without)) },
          ],
        },
      ],
      bars: [atMost("time of a put, times that without indexing", ratio, 1.6)],
    };
  },
} satisfies Bench;

/** Milliseconds for the median file. */
async function measure(put: Put, prefix: string, dice: Dice): Promise<number> {
  const millis: number[] = [];
  for (let index = 0; index < filesInRound; index += 1) {
    const content = Buffer.from(
      Array.from({ length: 5 }, () => drawText(dice))
        .join("\n")
        .slice(0, bytes),
    );
    const begun = performance.now();
    await put(`${prefix}-${index}.txt`, content);
    millis.push(performance.now() - begun);
  }
  return median(millis);
}

async function requireIndexed(adminUrl: string): Promise<void> {
  await withClient(adminUrl, async (client) => {
    const { rows } = await client.query<{ with: number; without: number }>(
      `select count(*) filter (where name like 'with-%')::int as "with",
         count(*) filter (where name like 'without-%')::int as without
       from app.search_document where length(body_tsv) > 100`,
    );
    if (rows[0]?.with !== rounds * filesInRound || rows[0].without !== 0) {
      throw new Error(`unexpected documents: ${JSON.stringify(rows[0])}`);
    }
  });
}
