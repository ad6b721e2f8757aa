import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { benchSize } from "../bench/bench-size.ts";
import { type BulkDocument, BulkDocuments } from "../bench/bulk-documents.ts";
import { addFileCaller, type } from "../bench/file-caller.ts";
import { HttpClient } from "../bench/http-client.ts";
import { startApi } from "../bench/processes/api-process.ts";
import { median } from "../bench/quantile.ts";
import { atLeast, type Report } from "../bench/report.ts";
import { createScratchFolder } from "../bench/scratch-folder.ts";
import { createSmallDatabase } from "../bench/small-database.ts";
import { defaultCollections } from "../evaluate/collection.ts";
import type { Evaluation } from "../evaluate/evaluation.ts";
import { mean } from "../evaluate/measures.ts";
import { type Compared, comparePage } from "../evaluate/ordered/compare-page.ts";
import { ExhaustiveRanking } from "../evaluate/ordered/exhaustive-ranking.ts";
import { judgedCorpus } from "../evaluate/ordered/judged-corpus.ts";
import type { OrderedCorpus } from "../evaluate/ordered/ordered-corpus.ts";
import { syntheticCorpus } from "../evaluate/ordered/synthetic-corpus.ts";

const size = benchSize(Number(process.env.BENCH_DOCUMENTS ?? 300_000), 4_000);
const queriesOfEach = benchSize(250, 12);
const folderQueries = benchSize(60, 9);
const phrases = benchSize(60, 9);
const folders = benchSize(100, 20);
/** How many of the folders each caller sees. */
const callers = benchSize({ "100 %": 100, "10 %": 10, "1 %": 1 }, { "100 %": 20, "5 %": 1 });
const mostAttempts = 10;
const kinds: Record<string, (page: Compared) => boolean> = {
  "1 word": ({ words, isByPath }) => words === 1 && !isByPath,
  "2–3 words": ({ words, isByPath, isPhrase }) => words > 1 && words <= 3 && !isByPath && !isPhrase,
  "4–10 words": ({ words, isByPath }) => words > 3 && !isByPath,
  "words of folders": ({ isByPath, isPhrase }) => isByPath && !isPhrase,
  "two words in quotes": ({ isPhrase }) => isPhrase,
};

export default {
  summary:
    "the first page is that of ranking every visible match, at any size and for callers who see little",
  async run(given) {
    const { values } = parseArgs({
      args: given,
      options: { collections: { type: "string", default: defaultCollections } },
    });
    const judged = judgedCorpus(values.collections, queriesOfEach);
    const corpora = [
      ...(judged ? [judged] : []),
      syntheticCorpus(size, { ofTexts: queriesOfEach, ofFolders: folderQueries, phrases }),
    ];
    const compared: Compared[] = [];
    for (const corpus of corpora) compared.push(...(await compare(corpus)));
    return reportOf(corpora, compared);
  },
} satisfies Evaluation;

async function compare(corpus: OrderedCorpus): Promise<Compared[]> {
  await using folder = await createScratchFolder();
  await using database = await createSmallDatabase(folder.path);
  await using api = await startApi({ databaseUrl: database.appUrl, folder: folder.path });
  const owner = await addFileCaller({ ...database, url: api.url });
  const exhaustive = new ExhaustiveRanking(corpus.queries);
  const { folderIds, numbers } = await fill(corpus, exhaustive, { ...database, url: api.url, caller: owner });
  using client = new HttpClient();
  const compared: Compared[] = [];
  for (const [sees, count] of Object.entries(callers)) {
    const token =
      count === folders ? owner.token : await addViewer(api.url, database.token, folderIds.slice(0, count));
    for (const query of corpus.queries) {
      const begun = performance.now();
      const answer = await search(client, api.url, token, query);
      const millis = performance.now() - begun;
      const page = comparePage(exhaustive, query, (at) => at < count, answer, numbers);
      compared.push({ corpus: corpus.name, sees, millis, ...page });
    }
    console.error(`${corpus.name}: callers who see ${sees} are done`);
  }
  return compared;
}

/** A process on a busy machine refuses to answer for a moment. */
async function search(client: HttpClient, url: string, token: string, query: string): Promise<string> {
  const sent = {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ query, searchContent: true, correct: false, limit: 10, highlight: false }),
  };
  for (let attempt = 1; ; attempt += 1) {
    const { status, text } = await client.exchange(`${url}/api/v1/search`, sent);
    if (status === 200) return text;
    if (status !== 503 || attempt === mostAttempts) throw new Error(`${query}: ${status} ${text}`);
    await sleep(2_000);
  }
}

/** Into folders of equal size, and into memory. */
async function fill(
  corpus: OrderedCorpus,
  exhaustive: ExhaustiveRanking,
  target: Parameters<typeof BulkDocuments.begin>[0],
): Promise<{ folderIds: string[]; numbers: Map<string, number> }> {
  await using bulk = await BulkDocuments.begin(target);
  const folderIds: string[] = [];
  const numbers = new Map<string, number>();
  const inFolder = Math.ceil(corpus.size / folders);
  let some: BulkDocument[] = [];
  const put = async () => {
    const folder = folderIds.length;
    const name = corpus.folderName(folder);
    const { id, fileIds } = await bulk.addFolder(name, some);
    numbers.set(id, exhaustive.size);
    exhaustive.addFolder({ name, updatedAt: new Date() });
    const first = exhaustive.size;
    for (const document of some) exhaustive.add({ ...document, folder });
    for (const [index, fileId] of fileIds.entries()) numbers.set(fileId, first + index);
    folderIds.push(id);
    some = [];
  };
  for (const document of corpus.documents()) {
    some.push(document);
    if (some.length === inFolder) await put();
  }
  if (some.length > 0) await put();
  await bulk.finish();
  return { folderIds, numbers };
}

/** Somebody who may read these folders and nothing else. */
async function addViewer(url: string, token: string, folderIds: readonly string[]): Promise<string> {
  const name = `viewer-${randomUUID()}`;
  const { data } = await type({ url, token }, `tokens create ${name}`);
  for (const id of folderIds) await type({ url, token }, `access grant ${id} ${name} --role viewer`);
  return String(data.token);
}

function reportOf(corpora: readonly OrderedCorpus[], compared: readonly Compared[]): Report {
  const all = corpora.flatMap(({ name }) =>
    Object.keys(callers).flatMap((sees) =>
      Object.entries(kinds).map(([kind, isOfKind]) => ({
        name: `${name}, ${sees}, ${kind}`,
        pages: compared.filter((page) => page.corpus === name && page.sees === sees && isOfKind(page)),
      })),
    ),
  );
  const cells = all.filter(({ pages }) => pages.length > 0);
  return {
    tables: [
      {
        title: "The first ten against ranking every visible match",
        rows: cells.map(({ name, pages }) => ({
          "documents, visible, query": name,
          queries: pages.length,
          "matches, median": median(pages.map(({ matches }) => matches)),
          "most matches": Math.max(...pages.map(({ matches }) => matches)),
          "overlap@10": mean(pages.map(({ overlap }) => overlap)),
          worst: Math.min(...pages.map(({ overlap }) => overlap)),
          proved: provedIn(pages),
          "exact statistics": mean(pages.map(({ exactOverlap }) => exactOverlap)),
          "median ms": median(pages.map(({ millis }) => millis)),
        })),
      },
    ],
    notes: [
      "overlap@10: words weigh what the answer says. exact statistics: words are counted in all visible documents.",
    ],
    bars: [
      ...cells.map(({ name, pages }) =>
        atLeast(`overlap@10, ${name}`, mean(pages.map(({ overlap }) => overlap)), 0.98),
      ),
      atLeast(
        "up to three words, proved",
        provedIn(compared.filter(({ words, isPhrase }) => words <= 3 && !isPhrase)),
        0.95,
      ),
      // A proof that is wrong is worse than none.
      atLeast(
        "worst overlap@10 of a proved page",
        Math.min(1, ...compared.filter(({ isProved }) => isProved).map(({ overlap }) => overlap)),
        1,
      ),
    ],
  };
}

function provedIn(pages: readonly Compared[]): number {
  return mean(pages.map(({ isProved }) => (isProved ? 1 : 0)));
}
