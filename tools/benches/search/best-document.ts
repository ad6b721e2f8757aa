import { setTimeout as sleep } from "node:timers/promises";
import { benchSize } from "../../bench/bench-size.ts";
import { drawMass, oldestDays } from "../../bench/best-document/draw-mass.ts";
import { type PlantedWord, places, plantedWords, shares } from "../../bench/best-document/planted-words.ts";
import { BulkDocuments } from "../../bench/bulk-documents.ts";
import { addFileCaller, type FileCaller, type } from "../../bench/file-caller.ts";
import { Dice } from "../../bench/fulltext/words.ts";
import { HttpClient } from "../../bench/http-client.ts";
import { startApi } from "../../bench/processes/api-process.ts";
import { startWorker } from "../../bench/processes/worker-process.ts";
import { type Put, putOverExchange } from "../../bench/put-over-exchange.ts";
import { median } from "../../bench/quantile.ts";
import { atLeast, type Bench, type Report } from "../../bench/report.ts";
import { createScratchFolder } from "../../bench/scratch-folder.ts";
import { createSmallDatabase } from "../../bench/small-database.ts";
import { withClient } from "../../bench/with-client.ts";

const documents = benchSize(300_000, 3_000);
const kinds = ["best text", "exact name", "just written"] as const;
type Kind = (typeof kinds)[number];

interface Looked extends PlantedWord {
  kind: Kind;
  /** 1 is the best; 0 if it is not among the first three. */
  rank: number;
  /** The search took too long and says so. */
  isPartial: boolean;
  millis: number;
}

export default {
  summary:
    "nothing is lost: the best text, the exact name and a text written a moment ago are in the first 3 of up to 300,000 matches",
  async run(): Promise<Report> {
    await using folder = await createScratchFolder();
    await using database = await createSmallDatabase(folder.path);
    await using api = await startApi({ databaseUrl: database.appUrl, folder: folder.path });
    const caller = await addFileCaller({ ...database, url: api.url });
    using client = new HttpClient();
    await type({ url: api.url, token: caller.token }, `files mkdir /planted --workspace ${caller.workspace}`);
    const send = putOverExchange(client, api.url, caller);
    const put: Put = (name, content) => send(`planted/${name}`, content);

    await using bulk = await BulkDocuments.begin({ ...database, url: api.url, caller });
    const dice = new Dice(18);
    const batch = Math.ceil(documents / places);
    for (let place = 0; place < places; place += 1) {
      await plant(put, place);
      await makeOlder(database.adminUrl, place);
      await bulk.addFolder(`batch-${place}`, drawMass(dice, batch));
      console.error(`${batch * (place + 1)} documents`);
    }
    await bulk.finish();
    await using worker = await startWorker({
      databaseUrl: database.workerUrl,
      folder: folder.path,
      embedders: [],
      // Moving to a shelf would rewrite the table: every place would be another one.
      environment: { SVC_SEARCH_SHELF_DOCUMENTS: "1000000000" },
    });
    await sleep(benchSize(15_000, 100));
    worker.requireAlive();

    const looked: Looked[] = [];
    const lookFor = async (planted: PlantedWord, kind: Kind) => {
      const begun = performance.now();
      const { titles, isPartial } = await searchTitles(client, api.url, caller, planted.word);
      const millis = performance.now() - begun;
      looked.push({ ...planted, kind, rank: titles.indexOf(titleOf(kind, planted)) + 1, isPartial, millis });
    };
    for (const planted of plantedWords) {
      await lookFor(planted, "best text");
      await lookFor(planted, "exact name");
      await put(titleOf("just written", planted), Buffer.from(bestText(planted.word)));
      await lookFor(planted, "just written");
    }
    return reportOf(looked);
  },
} satisfies Bench;

/** Before the documents of its place, and through the product. */
async function plant(put: Put, place: number): Promise<void> {
  for (const planted of plantedWords.filter((some) => some.place === place)) {
    await put(titleOf("best text", planted), Buffer.from(bestText(planted.word)));
    await put(titleOf("exact name", planted), Buffer.from("The name says it all."));
  }
}

/** The first ones are two years old, the last ones are new. */
async function makeOlder(adminUrl: string, place: number): Promise<void> {
  const names = plantedWords
    .filter((planted) => planted.place === place)
    .flatMap((planted) => [titleOf("best text", planted), titleOf("exact name", planted)]);
  const days = oldestDays * (1 - (place + 1) / places);
  await withClient(adminUrl, async (client) => {
    await client.query(
      "update app.search_document set updated_at = updated_at - $1 * interval '1 day' where name = any($2::text[])",
      [days, names],
    );
  });
}

/** Only the exact name has the word in it. */
function titleOf(kind: Kind, { word, number }: PlantedWord): string {
  if (kind === "exact name") return `${word}.txt`;
  return kind === "best text" ? `protocol-${number}.txt` : `draft-${number}.txt`;
}

/** No other text says it so often in so few words, even if it is new and this one is old. */
function bestText(word: string): string {
  return `Here it is, at last: ${`${word} `.repeat(40)}`;
}

async function searchTitles(
  client: HttpClient,
  url: string,
  { token }: FileCaller,
  query: string,
): Promise<{ titles: string[]; isPartial: boolean }> {
  const answer = await client.send(`${url}/api/v1/search`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ query, searchContent: true, limit: 3 }),
  });
  const { hits, partial = false } = JSON.parse(answer) as { hits: { title: string }[]; partial?: boolean };
  return { titles: hits.map(({ title }) => title), isPartial: partial };
}

function reportOf(looked: readonly Looked[]): Report {
  const rows = kinds.flatMap((kind) =>
    shares.map((share) => {
      const some = looked.filter((one) => one.kind === kind && one.share === share);
      return {
        planted: kind,
        matches: Math.round(share * documents),
        places: some.length,
        first: some.filter(({ rank }) => rank === 1).length,
        "in the first 3": some.filter(({ rank }) => rank > 0).length,
        lost: some.filter(({ rank }) => rank === 0).length,
        "out of time": some.filter(({ isPartial }) => isPartial).length,
        "median ms": median(some.map(({ millis }) => millis)),
        "slowest ms": Math.max(...some.map(({ millis }) => millis)),
      };
    }),
  );
  const found = looked.filter(({ rank }) => rank > 0).length;
  return {
    tables: [{ title: `one planted among ${documents.toLocaleString("en")} documents`, rows }],
    bars: [atLeast("planted documents in the first 3", found, looked.length)],
  };
}
