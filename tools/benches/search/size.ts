import { benchSize } from "../../bench/bench-size.ts";
import { Dice, type QueryKind, queryKinds } from "../../bench/fulltext/words.ts";
import type { LargeTenant } from "../../bench/index-data/fill-large-tenant.ts";
import { type IndexCaller, IndexSearch } from "../../bench/index-data/index-search.ts";
import { ensureLargeTenants } from "../../bench/index-data/large-tenants.ts";
import { median, quantile } from "../../bench/quantile.ts";
import { atMost, type Bench, type Report } from "../../bench/report.ts";

const sizes = benchSize([300_000, Number(process.env.BENCH_DOCUMENTS ?? 3_000_000)], [600, 3_000]);
const kinds = Object.keys(queryKinds) as QueryKind[];
const queriesOfKind = benchSize(20, 1);
/** Of the places, how many a caller may read. */
const shares = [1, 10, 100];
const shortMillis = 75;

interface Cell extends Record<string, string | number> {
  sees: string;
  query: QueryKind;
  "few ms": number;
  "few p95": number;
  "many ms": number;
  "many p95": number;
  /** Searches with a time limit of 75 ms that would have hits without it. */
  asked: number;
  "cut off": number;
  "without hits": number;
}

export default {
  summary:
    "search does not depend on size: ten times as many documents in a tenant, and hits with little time",
  async run(): Promise<Report> {
    await using database = await ensureLargeTenants(sizes);
    await using search = new IndexSearch(database.appUrl);
    const [few, many] = database.tenants as [LargeTenant, LargeTenant];
    const cells: Cell[] = [];
    const all = { few: [] as number[], many: [] as number[] };
    const first: Record<string, string | number>[] = [];
    for (const share of shares) {
      const callers = { few: callerOf(few, share), many: callerOf(many, share) };
      const sees = `1 in ${share}`;
      first.push({
        sees,
        "few ms": await timed(() => search.find(callers.few, "w20000 ")),
        "many ms": await timed(() => search.find(callers.many, "w20000 ")),
      });
      for (const kind of kinds) {
        const measured = await measure(search, callers, kind);
        all.few.push(...measured.few);
        all.many.push(...measured.many);
        const cell = {
          sees,
          query: kind,
          "few ms": median(measured.few),
          "few p95": quantile(measured.few, 0.95),
          "many ms": median(measured.many),
          "many p95": quantile(measured.many, 0.95),
          ...(await askInShortTime(search, callers.many, kind)),
        };
        console.error(JSON.stringify(cell));
        cells.push(cell);
      }
    }
    const p95 = { few: quantile(all.few, 0.95), many: quantile(all.many, 0.95) };
    return {
      tables: [
        { title: `milliseconds, few: ${sizes[0]} documents, many: ${sizes[1]}`, rows: cells },
        { title: "the first search of a caller, whose statistics are not known yet", rows: first },
        { title: "all searches, p95", rows: [p95] },
      ],
      bars: [
        atMost("p95 of many, times that of few", p95.many / p95.few, 1.5),
        atMost(
          `searches without hits in ${shortMillis} ms`,
          cells.reduce((sum, cell) => sum + cell["without hits"], 0),
          0,
        ),
      ],
    };
  },
} satisfies Bench;

function callerOf({ tenantId, workspaceId, places }: LargeTenant, share: number): IndexCaller {
  const scopeIds = share === 1 ? "all" : places.filter((_, index) => index % share === 0);
  return { tenantId, visibility: { workspaceIds: [workspaceId], scopeIds, doorIds: [] } };
}

/** Both in turn, so that they have the same neighbours. */
async function measure(search: IndexSearch, callers: Record<"few" | "many", IndexCaller>, kind: QueryKind) {
  const dice = new Dice(kinds.indexOf(kind) + 1);
  const millis = { few: [] as number[], many: [] as number[] };
  for (let index = 0; index < queriesOfKind; index += 1) {
    const query = queryKinds[kind](dice);
    const order = index % 2 === 0 ? (["few", "many"] as const) : (["many", "few"] as const);
    for (const side of order) millis[side].push(await timed(() => search.find(callers[side], query)));
  }
  return millis;
}

/** Queries that find something if there is time enough. */
async function askInShortTime(search: IndexSearch, caller: IndexCaller, kind: QueryKind) {
  const dice = new Dice(kinds.indexOf(kind) + 101);
  const counted = { asked: 0, "cut off": 0, "without hits": 0 };
  for (let index = 0; index < queriesOfKind; index += 1) {
    const query = queryKinds[kind](dice);
    const { hits, isPartial } = await search.find(caller, query, shortMillis);
    const exists = hits > 0 || (await search.find(caller, query)).hits > 0;
    if (!exists) continue;
    counted.asked += 1;
    if (isPartial) counted["cut off"] += 1;
    if (hits === 0) counted["without hits"] += 1;
  }
  return counted;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}
