import { benchSize } from "../../bench/bench-size.ts";
import { type Counts, exactCounter } from "../../bench/facets/count-exactly.ts";
import { addSearchCallers, type SearchCaller } from "../../bench/fulltext/callers.ts";
import { Dice, type QueryKind, queryKinds } from "../../bench/fulltext/words.ts";
import { ensureWordsDatabase } from "../../bench/fulltext/words-database.ts";
import { HttpClient } from "../../bench/http-client.ts";
import { startApi } from "../../bench/processes/api-process.ts";
import { median, quantile } from "../../bench/quantile.ts";
import { atMost, type Bench, type Report } from "../../bench/report.ts";
import { createScratchFolder } from "../../bench/scratch-folder.ts";

const documents = benchSize(295_000, 295);
/** Of all kinds together. */
const queries = benchSize(1_000, 9);
/** Off by at most this part, or this many hits. */
const tolerance = { part: 0.15, hits: 300 };
const kinds = Object.keys(queryKinds) as QueryKind[];

interface Asked {
  sees: string;
  kind: QueryKind;
  plain: number;
  counted: number;
  isAbout: boolean;
  /** Values, those outside the tolerance, and the largest error of one within hits and part. */
  values: number;
  wrong: number;
  worst: number;
}

export default {
  summary: "facets are right and cheap: 1,000 queries over 300,000 documents, against counting every hit",
  async run(): Promise<Report> {
    await using database = await ensureWordsDatabase();
    await using folder = await createScratchFolder();
    await using api = await startApi({ databaseUrl: database.appUrl, folder: folder.path });
    const callers = await addSearchCallers({ ...database, url: api.url }, documents);
    await using truth = await exactCounter(database, callers[0]?.tenantId ?? "");
    using client = new HttpClient();
    const dice = new Dice(65);
    const asked: Asked[] = [];
    for (let index = 0; index < queries; index += 1) {
      const kind = kinds[index % kinds.length] as QueryKind;
      const query = queryKinds[kind](dice);
      for (const caller of callers) {
        const exact = caller.scopeIds === "all" ? await truth.count(query) : undefined;
        asked.push(
          await askBoth(client, api.url, caller, { kind, query, exact, isPlainFirst: index % 2 === 0 }),
        );
      }
      if (index % 50 === 49) console.error(`${index + 1} queries`);
    }
    return reportOf(asked);
  },
} satisfies Bench;

interface Question {
  kind: QueryKind;
  query: string;
  /** Known of callers who see everything. */
  exact: Counts | undefined;
  isPlainFirst: boolean;
}

async function askBoth(
  client: HttpClient,
  url: string,
  { token, sees }: SearchCaller,
  { kind, query, exact, isPlainFirst }: Question,
): Promise<Asked> {
  const ask = async (facets: boolean) => {
    const begun = performance.now();
    const text = await client.send(`${url}/api/v1/search`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ query, searchContent: true, correct: false, facets }),
    });
    return { millis: performance.now() - begun, answer: JSON.parse(text) as Answer };
  };
  // Whichever is first warms the cache for the other.
  const [first, second] = [await ask(!isPlainFirst), await ask(isPlainFirst)];
  const [plain, counted] = isPlainFirst ? [first, second] : [second, first];
  const { facets } = counted.answer;
  const errors = exact ? compare(exact, facets) : { values: 0, wrong: 0, worst: 0 };
  const times = { plain: plain.millis, counted: counted.millis };
  return { sees, kind, ...times, isAbout: facets?.about ?? true, ...errors };
}

interface Answer {
  facets?: { about: boolean } & Record<"type" | "year", { value: string; count: number }[]>;
}

function compare(exact: Counts, facets: Answer["facets"]): Pick<Asked, "values" | "wrong" | "worst"> {
  const shown = new Map<string, number>(
    (["type", "year"] as const).flatMap((facet) =>
      (facets?.[facet] ?? []).map(({ value, count }) => [`${facet} ${value}`, count] as const),
    ),
  );
  let [wrong, worst] = [0, 0];
  for (const [value, hits] of exact) {
    const error = Math.abs((shown.get(value) ?? 0) - hits);
    const allowed = facets?.about ? Math.max(tolerance.hits, tolerance.part * hits) : 0;
    if (error > allowed) wrong += 1;
    if (error > tolerance.hits) worst = Math.max(worst, error / hits);
  }
  return { values: exact.size, wrong, worst };
}

function reportOf(asked: readonly Asked[]): Report {
  const rows = [...Map.groupBy(asked, ({ sees, kind }) => `${sees}, ${kind}`)].map(([name, some]) => ({
    "sees, query": name,
    "plain ms": median(some.map(({ plain }) => plain)),
    "facets ms": median(some.map(({ counted }) => counted)),
    "plain p95": quantile(
      some.map(({ plain }) => plain),
      0.95,
    ),
    "facets p95": quantile(
      some.map(({ counted }) => counted),
      0.95,
    ),
    about: some.filter(({ isAbout }) => isAbout).length / some.length,
    "wrong values": some.reduce((sum, { wrong }) => sum + wrong, 0),
    "worst part": Math.max(...some.map(({ worst }) => worst)),
  }));
  const p95 = (pick: (one: Asked) => number) => quantile(asked.map(pick), 0.95);
  const values = asked.reduce((sum, one) => sum + one.values, 0);
  const wrong = asked.reduce((sum, one) => sum + one.wrong, 0);
  return {
    tables: [{ title: `${queries} queries, ${documents} documents, ${values} values compared`, rows }],
    bars: [
      atMost("values off by more than 15 % and 300 hits, or off at all if exact", wrong, 0),
      atMost(
        "p95 with facets, times that without",
        p95(({ counted }) => counted) / p95(({ plain }) => plain),
        1.5,
      ),
    ],
  };
}
