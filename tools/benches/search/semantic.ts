import { Database } from "@svc/database/database";
import { toHalfvec } from "@svc/search/vectors/halfvec";
import { benchSize } from "../../bench/bench-size.ts";
import { HttpClient } from "../../bench/http-client.ts";
import { startApi } from "../../bench/processes/api-process.ts";
import { startBareMeaningServer } from "../../bench/processes/bare-process.ts";
import { median, quantile } from "../../bench/quantile.ts";
import { atLeast, atMost, type Bench, type Report } from "../../bench/report.ts";
import { createScratchFolder } from "../../bench/scratch-folder.ts";
import { askBareRoute, type BareWay } from "../../bench/semantic/bare-route.ts";
import { addMeaningCallers, type MeaningCaller } from "../../bench/semantic/callers.ts";
import { prepareObvious, whatTheySee } from "../../bench/semantic/obvious-statement.ts";
import { type Ask, askLeg, askOverHttp, type Near, type Query } from "../../bench/semantic/our-search.ts";
import { type RealTexts, readRealTexts } from "../../bench/semantic/real-vectors.ts";
import { ensureVectorsDatabase } from "../../bench/semantic/vectors-database.ts";
import { withClient } from "../../bench/with-client.ts";

const queriesInCell = benchSize(60, 3);
const defaultQueriesInCell = benchSize(20, 1);
/** The settings of the search were chosen on every sixth query: these are others. */
const besidesChosen = 3;
const top = 10;
const leastRecall = 0.99;

interface Cell {
  "tenant's chunks": number;
  sees: string;
  recall: number;
  /** The smallest number of hits in an answer, and the most there could be. */
  "least hits": number;
  possible: number;
  /** Over HTTP: of the exact ten, those close enough to be shown. */
  "HTTP recall": number;
  "svc ms": number;
  "svc p95": number;
  "bare way": string;
  "bare ms": number;
  "bare p95": number;
  ratio: number;
  "default ms": number;
  "default recall": number;
}

export default {
  summary:
    "search by meaning is fast and complete: half a million chunks, tenants of 50 to 150,000, callers who see all or one",
  async run(): Promise<Report> {
    const texts = await readRealTexts();
    await using database = await ensureVectorsDatabase(texts);
    const { adminUrl, appUrl, token } = database;
    await using folder = await createScratchFolder();
    const embedders = [{ kind: "local" }];
    await using api = await startApi({ databaseUrl: appUrl, folder: folder.path, embedders });
    using client = new HttpClient();
    const callers = await addMeaningCallers({ url: api.url, adminUrl, token });
    await withClient(adminUrl, (admin) =>
      admin.query("vacuum (analyze) app.search_place, app.file_embedding"),
    );
    const queries = chooseQueries(texts);
    const overHttp = askOverHttp(client, api.url);
    // Each tenant has their vectors from now on.
    for (const caller of new Map(callers.map((one) => [one.tenantId, one])).values()) {
      for (const query of queries) await overHttp(caller, query);
    }
    const url = new URL(appUrl);
    // As in the product's transaction.
    url.searchParams.set("options", "-c jit=off");
    await using cleanup = new AsyncDisposableStack();
    const leg = cleanup.adopt(new Database({ url: url.href, maxConnections: 1 }), (one) => one.close());
    const cells: Cell[] = [];
    await using route = await startBareMeaningServer({
      databaseUrl: appUrl,
      folder: folder.path,
      model: texts.model,
    });
    const known = { callers, queries, apiUrl: api.url, adminUrl };
    const bare = await askBareRoute(client, { ...known, url: route.url });
    await withClient(appUrl, async (usual) => {
      const obvious = prepareObvious(usual);
      const asks = {
        svc: () => overHttp,
        leg: () => askLeg(leg),
        exact: () => bare("exact"),
        graph: () => bare("graph"),
        default:
          (shelf: number): Ask =>
          (caller, query) =>
            obvious({ ...caller, ...query, shelf }),
      };
      for (const caller of callers) {
        const cell = await measureCell(adminUrl, caller, queries, asks, texts.leastSimilarity);
        console.error(JSON.stringify(cell));
        cells.push(cell);
      }
    });
    return report(cells);
  },
} satisfies Bench;

function chooseQueries({ queries, model }: RealTexts): Query[] {
  const step = queries.length / queriesInCell;
  return Array.from({ length: queriesInCell }, (_, index): Query => {
    const query = queries[Math.floor(index * step) + besidesChosen];
    if (!query) throw new Error("there are not enough queries");
    return { text: query.text, model, vector: toHalfvec(query.vector) };
  });
}

function report(cells: readonly Cell[]): Report {
  const lost = cells.map((cell) => cell.possible - cell["least hits"]);
  return {
    tables: [
      {
        title: `${queriesInCell} queries a cell, milliseconds; svc and the bare route through HTTP`,
        rows: cells.map((cell) => ({ ...cell })),
      },
    ],
    bars: [
      atLeast("recall@10 of the worst cell", Math.min(...cells.map(({ recall }) => recall)), leastRecall),
      atMost("hits that are missing from the answer with the fewest", Math.max(...lost), 0),
      atLeast(
        "recall of what is near enough to be shown",
        Math.min(...cells.map((cell) => cell["HTTP recall"])),
        leastRecall,
      ),
      atMost("p95 of the slowest cell, ms", Math.max(...cells.map((cell) => cell["svc p95"])), 50),
      atMost("median over cells, times that of a bare route", median(cells.map(({ ratio }) => ratio)), 2),
    ],
  };
}

type Side = "svc" | "leg" | "default" | BareWay;

class Measured {
  readonly millis: number[] = [];
  readonly answers: Near[][] = [];

  async measure(ask: () => Promise<Near[]>): Promise<void> {
    const started = performance.now();
    const found = await ask();
    this.millis.push(performance.now() - started);
    this.answers.push(found);
  }
}

async function measureCell(
  adminUrl: string,
  caller: MeaningCaller,
  queries: readonly Query[],
  on: Record<Side, (shelf: number) => Ask>,
  leastSimilarity: number,
): Promise<Cell> {
  const { shelf, visibleFiles } = await withClient(adminUrl, (admin) => whatTheySee(admin, caller));
  const sides = Object.keys(on) as Side[];
  const asks = new Map(sides.map((side) => [side, on[side](shelf)]));
  const measured: Record<Side, Measured> = {
    svc: new Measured(),
    leg: new Measured(),
    exact: new Measured(),
    graph: new Measured(),
    default: new Measured(),
  };
  const [first] = queries;
  for (const ask of asks.values()) if (first) await ask(caller, first);
  for (const [index, query] of queries.entries()) {
    for (const [side, ask] of index % 2 === 0 ? asks : [...asks].reverse()) {
      // For a second each it only shows what nobody would want.
      if (side === "default" && index >= defaultQueriesInCell) continue;
      await measured[side].measure(() => ask(caller, query));
    }
  }
  const { svc, leg, exact, graph, default: usual } = measured;
  const isGraphGood = recallOf(graph, exact) >= leastRecall;
  const way = isGraphGood && median(graph.millis) < median(exact.millis) ? "graph" : "exact";
  const best = measured[way];
  return {
    "tenant's chunks": caller.size,
    sees: caller.sees,
    recall: recallOf(leg, exact),
    "least hits": Math.min(...leg.answers.map(({ length }) => length)),
    possible: Math.min(top, visibleFiles),
    "HTTP recall": recallOf(svc, exact, leastSimilarity),
    "svc ms": median(svc.millis),
    "svc p95": quantile(svc.millis, 0.95),
    "bare way": way,
    "bare ms": median(best.millis),
    "bare p95": quantile(best.millis, 0.95),
    ratio: median(svc.millis) / median(best.millis),
    "default ms": median(usual.millis),
    "default recall": recallOf(usual, exact),
  };
}

/** The mean share of the exact answer, as far as it is close enough, that the other contains. */
function recallOf({ answers }: Measured, exact: Measured, leastSimilarity = -1): number {
  const recalls = answers.flatMap((answer, index) => {
    const truth = (exact.answers[index] ?? []).filter(({ distance = 2 }) => 1 - distance >= leastSimilarity);
    if (truth.length === 0) return [];
    const found = new Set(answer.map(({ id }) => id));
    return [truth.filter(({ id }) => found.has(id)).length / truth.length];
  });
  // Where nothing is near enough, nothing is missing.
  return recalls.length === 0 ? 1 : recalls.reduce((sum, recall) => sum + recall, 0) / recalls.length;
}
