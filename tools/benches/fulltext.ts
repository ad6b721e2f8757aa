import { benchSize } from "../bench/bench-size.ts";
import { type BareCaller, BareSearch, searchNaively } from "../bench/fulltext/bare-search.ts";
import { addSearchCallers, type SearchCaller } from "../bench/fulltext/callers.ts";
import { ensureTextsearch, searchByTextsearch, textsearchKinds } from "../bench/fulltext/textsearch.ts";
import { Dice, type QueryKind, queryKinds } from "../bench/fulltext/words.ts";
import { ensureWordsDatabase } from "../bench/fulltext/words-database.ts";
import { HttpClient } from "../bench/http-client.ts";
import { startApi } from "../bench/processes/api-process.ts";
import { median, quantile } from "../bench/quantile.ts";
import { atLeast, atMost, type Bench, type Report } from "../bench/report.ts";
import { createScratchFolder } from "../bench/scratch-folder.ts";
import { type Client, withClient } from "../bench/with-client.ts";

const sizes = benchSize([100, 2_000, 295_000], [60, 295]);
const kinds = Object.keys(queryKinds) as QueryKind[];
/** Samples per cell: the slowest of them is its p95. */
const queriesInCell = benchSize(20, 1);
const naiveQueriesInCell = benchSize(2, 1);
const throughput = benchSize(
  { callers: 32, seconds: 10, rounds: 3 },
  { callers: 4, seconds: 0.3, rounds: 1 },
);

type Side = "svc" | "bare" | "textsearch" | "naive";
type Ask = (caller: SearchCaller & BareCaller, query: string) => Promise<unknown>;

interface Cell {
  tenant: string;
  sees: string;
  query: string;
  "svc ms": number;
  "svc p95": number;
  "bare ms": number;
  "bare p95": number;
  /** pg_textsearch; 0 if it cannot answer. */
  "textsearch ms": number;
  /** Relative to the faster of both. */
  ratio: number;
  "naive ms": number;
}

export default {
  summary:
    "full text is fast: a million documents, tenants of 100 to 300,000, callers who see all or little, nine kinds of query",
  async run(): Promise<Report> {
    await using database = await ensureWordsDatabase();
    await using folder = await createScratchFolder();
    await using api = await startApi({ databaseUrl: database.appUrl, folder: folder.path });
    const callers: (SearchCaller & BareCaller)[] = [];
    for (const size of sizes) {
      for (const caller of await addSearchCallers({ ...database, url: api.url }, size)) {
        callers.push({ ...caller, visibility: await visibilityOf(database.adminUrl, caller) });
      }
    }
    await withClient(database.adminUrl, (client) => client.query("vacuum (analyze) app.search_place"));
    return await withClient(database.adminUrl, async (admin) => {
      await ensureTextsearch(admin);
      return measure(database.appUrl, api.url, callers, admin);
    });
  },
} satisfies Bench;

async function measure(
  appUrl: string,
  apiUrl: string,
  callers: (SearchCaller & BareCaller)[],
  admin: Client,
): Promise<Report> {
  await using bare = new BareSearch(appUrl, 10);
  using client = new HttpClient();
  const svc: Ask = ({ token }, query) =>
    client.send(`${apiUrl}/api/v1/search`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ query, searchContent: true }),
    });
  const cells: Cell[] = [];
  for (const caller of callers) {
    for (const kind of kinds) {
      const cell = await measureCell(caller, kind, {
        svc,
        bare: (who, query) => bare.bounded(who, query),
        textsearch: (who, query) => searchByTextsearch(admin, who, query),
        naive: (who, query) => searchNaively(admin, who, query),
      });
      console.error(JSON.stringify(cell));
      cells.push(cell);
    }
  }
  const rates = await measureThroughput(callers, svc, (who, query) => bare.bounded(who, query));
  const slowest = cells.toSorted((left, right) => right["svc p95"] - left["svc p95"])[0];
  return {
    tables: [
      { title: "milliseconds, through HTTP and by SQL alone", rows: cells.map((cell) => ({ ...cell })) },
      { title: `${throughput.callers} callers, mixed queries, queries a second`, rows: [rates] },
    ],
    notes: [`slowest: ${JSON.stringify(slowest)}`],
    bars: [
      atMost("p95 of the slowest cell, ms", slowest?.["svc p95"] ?? 0, 60),
      atMost("median over cells, times that of bare SQL", median(cells.map(({ ratio }) => ratio)), 1.5),
      atLeast("queries a second, times that of bare SQL", rates.ratio, 0.6),
    ],
  };
}

async function measureCell(
  caller: SearchCaller & BareCaller,
  kind: QueryKind,
  asks: Record<Side, Ask>,
): Promise<Cell> {
  const dice = new Dice(kinds.indexOf(kind) + 1);
  const isForTextsearch =
    textsearchKinds.includes(kind) && (await asks.textsearch(caller, queryKinds[kind](dice))) !== false;
  const sides: Side[] = isForTextsearch ? ["svc", "bare", "textsearch"] : ["svc", "bare"];
  const millis: Record<Side, number[]> = { svc: [], bare: [], textsearch: [], naive: [] };
  // Statistics and code are warm, as for anybody who types a second letter.
  for (const side of sides) await asks[side](caller, queryKinds[kind](dice));
  for (let index = 0; index < queriesInCell; index += 1) {
    const query = queryKinds[kind](dice);
    const order = index % 2 === 0 ? sides : sides.toReversed();
    for (const side of order) millis[side].push(await time(() => asks[side](caller, query)));
    if (index < naiveQueriesInCell) millis.naive.push(await time(() => asks.naive(caller, query)));
  }
  const textsearch = sides.includes("textsearch") ? median(millis.textsearch) : undefined;
  const best = Math.min(median(millis.bare), textsearch ?? Number.POSITIVE_INFINITY);
  return {
    tenant: caller.size,
    sees: caller.sees,
    query: kind,
    "svc ms": median(millis.svc),
    "svc p95": quantile(millis.svc, 0.95),
    "bare ms": median(millis.bare),
    "bare p95": quantile(millis.bare, 0.95),
    "textsearch ms": textsearch ?? 0,
    ratio: median(millis.svc) / best,
    "naive ms": median(millis.naive),
  };
}

async function time(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

async function measureThroughput(callers: (SearchCaller & BareCaller)[], svc: Ask, bare: Ask) {
  const rounds: { svc: number; bare: number }[] = [];
  for (let round = 0; round < throughput.rounds; round += 1) {
    const [first, second] = round % 2 === 0 ? [svc, bare] : [bare, svc];
    const one = await rateOf(callers, first);
    const other = await rateOf(callers, second);
    rounds.push(round % 2 === 0 ? { svc: one, bare: other } : { svc: other, bare: one });
  }
  return {
    svc: median(rounds.map((round) => round.svc)),
    bare: median(rounds.map((round) => round.bare)),
    ratio: median(rounds.map((round) => round.svc / round.bare)),
  };
}

async function rateOf(callers: (SearchCaller & BareCaller)[], ask: Ask): Promise<number> {
  const until = performance.now() + throughput.seconds * 1_000;
  let answered = 0;
  await Promise.all(
    Array.from({ length: throughput.callers }, async (_, number) => {
      const dice = new Dice(number + 100);
      while (performance.now() < until) {
        const caller = callers[dice.between(0, callers.length - 1)];
        const kind = kinds[dice.between(0, kinds.length - 1)];
        if (!caller || !kind) throw new Error("nobody asks");
        await ask(caller, queryKinds[kind](dice));
        answered += 1;
      }
    }),
  );
  return answered / throughput.seconds;
}

/** The product computes this for each request: here it is known beforehand. */
async function visibilityOf(adminUrl: string, { tenantId, scopeIds }: SearchCaller) {
  return withClient(adminUrl, async (client) => {
    const { rows } = await client.query<{ id: string }>(
      "select id from app.workspace where tenant_id = $1 and trashed_at is null",
      [tenantId],
    );
    return { workspaceIds: rows.map(({ id }) => id), scopeIds, doorIds: [] };
  });
}
