import { Database } from "@svc/database/database";
import { toHalfvec } from "@svc/search/halfvec";
import { startApi } from "../bench/api-process.ts";
import { HttpClient } from "../bench/http-client.ts";
import { median, quantile } from "../bench/quantile.ts";
import { atLeast, atMost, type Bench, type Report } from "../bench/report.ts";
import { createScratchFolder } from "../bench/scratch-folder.ts";
import { type BareStatement, prepareBare, whatHeSees } from "../bench/semantic/bare-nearest.ts";
import { addMeaningCallers, type MeaningCaller } from "../bench/semantic/callers.ts";
import {
  type Ask,
  askDirectly,
  askOverHttp,
  type Query,
  searchesByMeaning,
} from "../bench/semantic/our-search.ts";
import { readRealTexts } from "../bench/semantic/real-vectors.ts";
import { ensureVectorsDatabase } from "../bench/semantic/vectors-database.ts";
import { type Client, withClient } from "../bench/with-client.ts";

const queriesInCell = 60;
const defaultQueriesInCell = 20;
const top = 10;
const leastRecall = 0.99;

interface Cell {
  "tenant's chunks": number;
  sees: string;
  recall: number;
  /** Of the answer with the fewest, and how many there could be. */
  "least hits": number;
  possible: number;
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
    "meaning is found fast and whole: half a million chunks, tenants of 50 to 150,000, callers who see all or one",
  async run(): Promise<Report> {
    const texts = await readRealTexts();
    const { adminUrl, appUrl, token } = await ensureVectorsDatabase(texts);
    await using folder = await createScratchFolder();
    await using api = await startApi({ databaseUrl: appUrl, folder: folder.path });
    using client = new HttpClient();
    const callers = await addMeaningCallers({ url: api.url, adminUrl, token });
    await withClient(adminUrl, (admin) =>
      admin.query("vacuum (analyze) app.search_place, app.file_embedding"),
    );
    const step = texts.queries.length / queriesInCell;
    const queries = Array.from({ length: queriesInCell }, (_, index): Query => {
      const query = texts.queries[Math.floor(index * step)];
      if (!query) throw new Error("there are not enough queries");
      return { text: query.text, model: texts.model, vector: toHalfvec(query.vector) };
    });
    const [caller] = callers;
    const [query] = queries;
    if (!caller || !query) throw new Error("nobody asks");
    if (await searchesByMeaning(client, api.url, caller, query)) {
      return await measure(appUrl, adminUrl, askOverHttp(client, api.url), callers, queries, "through HTTP");
    }
    const url = new URL(appUrl);
    // As in the product, where the transaction says so.
    url.searchParams.set("options", "-c jit=off");
    const database = new Database({ url: url.href, maxConnections: 1 });
    try {
      return await measure(
        appUrl,
        adminUrl,
        askDirectly(database),
        callers,
        queries,
        "without the API, which does not search by meaning",
      );
    } finally {
      await database.close();
    }
  },
} satisfies Bench;

async function measure(
  appUrl: string,
  adminUrl: string,
  ours: Ask,
  callers: readonly MeaningCaller[],
  queries: readonly Query[],
  how: string,
): Promise<Report> {
  const cells: Cell[] = [];
  await withClient(appUrl, (exact) =>
    withClient(appUrl, (graph) =>
      withClient(appUrl, async (usual) => {
        const bare = { exact, graph, default: usual };
        for (const caller of callers) {
          const cell = await measureCell(adminUrl, caller, queries, ours, bare);
          console.error(JSON.stringify(cell));
          cells.push(cell);
        }
      }),
    ),
  );
  const lost = cells.map((cell) => cell.possible - cell["least hits"]);
  return {
    tables: [
      {
        title: `${queriesInCell} queries a cell, milliseconds, ${how}`,
        rows: cells.map((cell) => ({ ...cell })),
      },
    ],
    bars: [
      atLeast("recall@10 of the worst cell", Math.min(...cells.map(({ recall }) => recall)), leastRecall),
      atMost("hits that are missing from the answer with the fewest", Math.max(...lost), 0),
      atMost("p95 of the slowest cell, ms", Math.max(...cells.map((cell) => cell["svc p95"])), 50),
      atMost("median over cells, times that of bare SQL", median(cells.map(({ ratio }) => ratio)), 1.5),
    ],
  };
}

interface Measured {
  millis: number[];
  answers: string[][];
}

async function measureCell(
  adminUrl: string,
  caller: MeaningCaller,
  queries: readonly Query[],
  ours: Ask,
  clients: Record<BareStatement, Client>,
): Promise<Cell> {
  const { shelf, visibleFiles } = await withClient(adminUrl, (admin) => whatHeSees(admin, caller));
  const bare = async (statement: BareStatement): Promise<Ask> => {
    const ask = await prepareBare(clients[statement], statement);
    return (who, query) => ask({ ...who, ...query, shelf });
  };
  const asks = {
    svc: ours,
    exact: await bare("exact"),
    graph: await bare("graph"),
    default: await bare("default"),
  };
  type Side = keyof typeof asks;
  const sides = Object.keys(asks) as Side[];
  const measured: Record<Side, Measured> = {
    svc: { millis: [], answers: [] },
    exact: { millis: [], answers: [] },
    graph: { millis: [], answers: [] },
    default: { millis: [], answers: [] },
  };
  const [first] = queries;
  for (const side of sides) if (first) await asks[side](caller, first);
  for (const [index, query] of queries.entries()) {
    for (const side of index % 2 === 0 ? sides : sides.toReversed()) {
      // For a second each it only shows what nobody would want.
      if (side === "default" && index >= defaultQueriesInCell) continue;
      const started = performance.now();
      const found = await asks[side](caller, query);
      measured[side].millis.push(performance.now() - started);
      measured[side].answers.push(found);
    }
  }
  const { svc, exact, graph, default: usual } = measured;
  const isGraphGood = recallOf(graph, exact) >= leastRecall;
  const way = isGraphGood && median(graph.millis) < median(exact.millis) ? "graph" : "exact";
  const best = measured[way];
  return {
    "tenant's chunks": caller.size,
    sees: caller.sees,
    recall: recallOf(svc, exact),
    "least hits": Math.min(...svc.answers.map(({ length }) => length)),
    possible: Math.min(top, visibleFiles),
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

/** The mean part of the exact answer that is in the other. */
function recallOf({ answers }: Measured, exact: Measured): number {
  const recalls = answers.map((answer, index) => {
    const truth = new Set(exact.answers[index]);
    return answer.filter((id) => truth.has(id)).length / truth.size;
  });
  return recalls.reduce((sum, recall) => sum + recall, 0) / recalls.length;
}
