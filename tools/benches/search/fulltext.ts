import { Database } from "@svc/database/database";
import { benchSize } from "../../bench/bench-size.ts";
import { askBareRoute } from "../../bench/fulltext/bare-route.ts";
import { type BareCaller, BareSearch, searchNaively } from "../../bench/fulltext/bare-search.ts";
import { addSearchCallers, type SearchCaller } from "../../bench/fulltext/callers.ts";
import { ensureTextsearch, searchByTextsearch, textsearchKinds } from "../../bench/fulltext/textsearch.ts";
import { Dice, type QueryKind, queryKinds } from "../../bench/fulltext/words.ts";
import { ensureWordsDatabase } from "../../bench/fulltext/words-database.ts";
import { HttpClient } from "../../bench/http-client.ts";
import { startApi } from "../../bench/processes/api-process.ts";
import { startBareWordsServer } from "../../bench/processes/bare-process.ts";
import { median, quantile } from "../../bench/quantile.ts";
import { atLeast, atMost, type Bar, type Bench, type Report } from "../../bench/report.ts";
import { createScratchFolder } from "../../bench/scratch-folder.ts";
import { withClient } from "../../bench/with-client.ts";

/** Documents of the tenants; some of them with `BENCH_TENANTS=295000`. */
const sizes =
  process.env.BENCH_TENANTS?.split(",").map(Number) ?? benchSize([100, 2_000, 295_000], [60, 295]);
const kinds = Object.keys(queryKinds) as QueryKind[];
/** Samples per cell: the slowest of them is its p95. */
const queriesInCell = benchSize(20, 1);
/** Ranking every match takes seconds. */
const slowQueriesInCell = benchSize(4, 1);
const throughput = benchSize(
  { callers: 32, seconds: 10, rounds: 3 },
  { callers: 4, seconds: 0.3, rounds: 1 },
);

/** The checkout of an earlier version, with its packages: printed beside this one. */
const before = process.env.BENCH_BEFORE;

type Asker = SearchCaller & BareCaller;
type Ask = (caller: Asker, query: string) => Promise<unknown>;
type AskText = (caller: Asker, query: string) => Promise<string>;
interface Asks {
  svc: Ask;
  bare: Ask;
  /** Absent if no earlier version was given. */
  before?: Ask;
  textsearch: Ask;
  naive: Ask;
  /** Returns how many matches there are. */
  every: (caller: Asker, query: string) => Promise<number>;
}

interface Cell {
  tenant: number;
  sees: string;
  query: QueryKind;
  /** Median. */
  matches: number;
  "svc ms": number;
  "svc p95": number;
  /** An earlier version; 0 if none was given. */
  "before ms": number;
  "bare ms": number;
  ratio: number;
  /** pg_textsearch; 0 if it cannot answer. */
  "textsearch ms": number;
  /** All matches by `ts_rank`. */
  "naive ms": number;
  /** All matches, ranked as the product does. */
  "every ms": number;
  "of every": number;
}

export default {
  summary:
    "full text is fast: a million documents, tenants of 100 to 300,000, callers who see all or little, nine kinds of query",
  async run(): Promise<Report> {
    await using database = await ensureWordsDatabase();
    await using folder = await createScratchFolder();
    const place = { databaseUrl: database.appUrl, folder: folder.path };
    await using api = await startApi(place);
    const callers: Asker[] = [];
    for (const size of sizes) {
      for (const caller of await addSearchCallers({ ...database, url: api.url }, size)) {
        callers.push({ ...caller, visibility: await visibilityOf(database.adminUrl, caller) });
      }
    }
    await using cleanup = new AsyncDisposableStack();
    const route = cleanup.use(await startBareWordsServer(place));
    const earlier = before === undefined ? undefined : await startApi({ ...place, checkout: before });
    if (earlier) cleanup.use(earlier);
    // One connection, without compiling: as in the product, where the transaction says so.
    const own = new URL(database.appUrl);
    own.searchParams.set("options", "-c jit=off");
    const everything = cleanup.adopt(new Database({ url: own.href, maxConnections: 1 }), (one) =>
      one.close(),
    );
    const search = new BareSearch();
    using client = new HttpClient();
    const svc = askOverHttp(client, api.url);
    const bare = await askBareRoute(client, { url: route.url, apiUrl: api.url, callers });
    for (const caller of callers) await requireSameHits(caller, svc, bare);
    return await withClient(database.adminUrl, async (admin) => {
      await admin.query("vacuum (analyze) app.search_place");
      await ensureTextsearch(admin);
      return measure(callers, {
        svc,
        ...(earlier ? { before: askOverHttp(client, earlier.url) } : {}),
        bare,
        textsearch: (who, query) => searchByTextsearch(admin, who, query),
        naive: (who, query) => searchNaively(admin, who, query),
        every: ({ tenantId, visibility }, query) =>
          everything.withTenant({ tenantId, actorId: tenantId }, "read", (transaction) =>
            search.rankEvery(transaction, visibility, query),
          ),
      });
    });
  },
} satisfies Bench;

/** A route that finds less is faster. */
async function requireSameHits(caller: Asker, svc: AskText, bare: AskText): Promise<void> {
  const query = queryKinds.common(new Dice(1));
  const { hits } = JSON.parse(await svc(caller, query)) as { hits: unknown[] };
  const found = JSON.parse(await bare(caller, query)) as unknown[];
  if (found.length !== hits.length)
    throw new Error(`of ${hits.length} hits for "${query}" the bare route finds ${found.length}`);
}

function askOverHttp(client: HttpClient, url: string): AskText {
  return ({ token }, query) =>
    client.send(`${url}/api/v1/search`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ query, searchContent: true, typing: true }),
    });
}

async function measure(callers: readonly Asker[], asks: Asks): Promise<Report> {
  const cells: Cell[] = [];
  for (const caller of callers) {
    for (const kind of kinds) {
      const cell = await measureCell(caller, kind, asks);
      console.error(JSON.stringify(cell));
      cells.push(cell);
    }
  }
  const rates = await measureThroughput(callers, asks);
  return {
    tables: [
      {
        title: "milliseconds; svc, before and bare through HTTP, the others by SQL alone",
        rows: cells.map((cell) => ({ ...cell })),
      },
      { title: `${throughput.callers} callers, mixed queries, queries a second`, rows: [rates] },
    ],
    bars: barsOf(cells, rates.ratio),
  };
}

/** Fewer matches take no time in either way. Up to ten times as many, the product ranks all of them too. */
const many = 3_000;

function barsOf(cells: readonly Cell[], rate: number): Bar[] {
  const largest = Math.max(...sizes);
  const slowest = (some: readonly Cell[]) => Math.max(0, ...some.map((cell) => cell["svc p95"]));
  const ofEvery = (some: readonly Cell[]) =>
    Math.max(0, ...some.filter(({ matches }) => matches > many).map((cell) => cell["of every"]));
  const inLargest = cells.filter(({ tenant }) => tenant === largest);
  const isSentence = ({ query }: Cell) => query === "sentence";
  const name = (what: string) => `${what}, of ${largest.toLocaleString("en")}`;
  return [
    atMost(
      "p95 of the slowest cell, smaller tenants",
      slowest(cells.filter((cell) => cell.tenant < largest)),
      60,
    ),
    atMost(name("p95 of the slowest cell"), slowest(inLargest), 500),
    atMost(
      name("up to three words, times ranking every match"),
      ofEvery(inLargest.filter((cell) => !isSentence(cell))),
      0.2,
    ),
    atMost(name("sentences, times ranking every match"), ofEvery(inLargest.filter(isSentence)), 0.4),
    atMost("median over cells, times that of the bare route", median(cells.map(({ ratio }) => ratio)), 1.5),
    atLeast("queries a second, times that of the bare route", rate, 0.6),
  ];
}

async function measureCell(caller: Asker, kind: QueryKind, asks: Asks): Promise<Cell> {
  const dice = new Dice(kinds.indexOf(kind) + 1);
  const isForTextsearch =
    textsearchKinds.includes(kind) && (await asks.textsearch(caller, queryKinds[kind](dice))) !== false;
  const sides: [string, Ask][] = [
    ["svc", asks.svc],
    ["bare", asks.bare],
  ];
  if (asks.before) sides.push(["before", asks.before]);
  if (isForTextsearch) sides.push(["textsearch", asks.textsearch]);
  const millis = new Map<string, number[]>();
  const matches: number[] = [];
  const measureOnce = async (side: string, work: () => Promise<unknown>) =>
    millis.set(side, [...(millis.get(side) ?? []), await time(work)]);
  // Statistics and code are warm, as for anybody who types a second letter.
  for (const [, ask] of sides) await ask(caller, queryKinds[kind](dice));
  for (let index = 0; index < queriesInCell; index += 1) {
    const query = queryKinds[kind](dice);
    for (const [side, ask] of index % 2 === 0 ? sides : sides.toReversed()) {
      await measureOnce(side, () => ask(caller, query));
    }
    if (index >= slowQueriesInCell) continue;
    await measureOnce("naive", () => asks.naive(caller, query));
    await measureOnce("every", async () => matches.push(await asks.every(caller, query)));
  }
  const medianOf = (side: string) => (millis.has(side) ? median(millis.get(side) ?? []) : 0);
  return {
    tenant: caller.size,
    sees: caller.sees,
    query: kind,
    matches: median(matches),
    "svc ms": medianOf("svc"),
    "svc p95": quantile(millis.get("svc") ?? [], 0.95),
    "before ms": medianOf("before"),
    "bare ms": medianOf("bare"),
    ratio: medianOf("svc") / medianOf("bare"),
    "textsearch ms": medianOf("textsearch"),
    "naive ms": medianOf("naive"),
    "every ms": medianOf("every"),
    // Of the same queries.
    "of every": median((millis.get("svc") ?? []).slice(0, slowQueriesInCell)) / medianOf("every"),
  };
}

async function time(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

async function measureThroughput(callers: readonly Asker[], { svc, bare }: Asks) {
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

async function rateOf(callers: readonly Asker[], ask: Ask): Promise<number> {
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
