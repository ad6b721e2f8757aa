import { readFile, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { benchSize } from "../../bench/bench-size.ts";
import { addSearchCallers, type SearchCaller } from "../../bench/fulltext/callers.ts";
import { Dice, queryKinds } from "../../bench/fulltext/words.ts";
import { ensureWordsDatabase } from "../../bench/fulltext/words-database.ts";
import { HttpClient } from "../../bench/http-client.ts";
import { startApi } from "../../bench/processes/api-process.ts";
import { startBareReplayServer } from "../../bench/processes/bare-process.ts";
import { quantile } from "../../bench/quantile.ts";
import { atMost, type Bench, type Report } from "../../bench/report.ts";
import { createScratchFolder } from "../../bench/scratch-folder.ts";

const sizes = benchSize([2_000, 295_000], [60]);
const keystrokes = benchSize(500, 30);

interface Cell {
  tenant: number;
  sees: string;
  statements: number;
  "svc ms": number;
  "svc p95": number;
  "bare ms": number;
  "bare p95": number;
  ratio: number;
}

type Ask = (token: string, typed: string) => Promise<unknown>;

export default {
  summary:
    "suggestions while typing cost little more than their statements: p95 at most 1.5 times a bare route",
  async run(): Promise<Report> {
    await using database = await ensureWordsDatabase();
    await using folder = await createScratchFolder();
    const place = { databaseUrl: database.appUrl, folder: folder.path };
    using client = new HttpClient();
    const cells: Cell[] = [];
    for (const size of sizes) {
      for (const caller of await callersOf(place, database, size)) {
        const typed = typedTexts();
        const { recorded, statements } = await record(place, client, caller, typed);
        await using api = await startApi(place);
        await using route = await startBareReplayServer({ ...place, recorded });
        const svc: Ask = (token, q) => client.send(suggestAt(api.url, q), get(token));
        const bare: Ask = (token, q) =>
          client.send(`${route.url}/suggest?q=${encodeURIComponent(q)}`, get(token));
        const cell = { ...(await measure(caller, typed, svc, bare)), statements };
        console.error(JSON.stringify(cell));
        cells.push(cell);
      }
    }
    const worst = Math.max(...cells.map(({ ratio }) => ratio));
    return {
      tables: [
        {
          title: `${keystrokes} keystrokes, milliseconds through HTTP`,
          rows: cells.map((cell) => ({ ...cell })),
        },
      ],
      bars: [atMost("p95 of the worst cell, times that of a bare route of the same SQL", worst, 1.5)],
    };
  },
} satisfies Bench;

async function callersOf(
  place: { databaseUrl: string; folder: string },
  database: { adminUrl: string; token: string },
  size: number,
): Promise<SearchCaller[]> {
  await using api = await startApi(place);
  return await addSearchCallers({ ...database, url: api.url }, size);
}

/** Words as somebody types them: each keystroke is the beginning of the same query, longer by one. */
function typedTexts(): string[] {
  const dice = new Dice(7);
  const typed: string[] = [];
  while (typed.length < keystrokes) {
    const query = queryKinds.common(dice);
    for (let length = 1; length <= query.length; length += 1) typed.push(query.slice(0, length));
  }
  return typed.slice(0, keystrokes);
}

/** What the product asks the database for each of them, once it knows the caller and the statistics. */
async function record(
  place: { databaseUrl: string; folder: string },
  client: HttpClient,
  { token }: SearchCaller,
  typed: readonly string[],
): Promise<{ recorded: string; statements: number }> {
  const spyFile = join(place.folder, "suggest-statements.jsonl");
  await writeFile(spyFile, "");
  await using api = await startApi({ ...place, spyFile });
  const calls: Record<string, unknown[]> = {};
  for (const q of typed) {
    await client.send(suggestAt(api.url, q), get(token));
    await truncate(spyFile);
    await client.send(suggestAt(api.url, q), get(token));
    const lines = (await readFile(spyFile, "utf8")).split("\n").filter((line) => line !== "");
    calls[q] = lines.map((line) => JSON.parse(line) as unknown);
  }
  const recorded = join(place.folder, "suggest-calls.json");
  await writeFile(recorded, JSON.stringify(calls));
  const counts = Object.values(calls).map(({ length }) => length);
  return { recorded, statements: quantile(counts, 0.5) };
}

async function measure(
  { token, size, sees }: SearchCaller,
  typed: readonly string[],
  svc: Ask,
  bare: Ask,
): Promise<Omit<Cell, "statements">> {
  const millis: Record<"svc" | "bare", number[]> = { svc: [], bare: [] };
  // The first round warms both.
  for (const round of [0, 1]) {
    for (const q of typed) {
      for (const [side, ask] of [
        ["svc", svc],
        ["bare", bare],
      ] as const) {
        const began = performance.now();
        await ask(token, q);
        if (round === 1) millis[side].push(performance.now() - began);
      }
    }
  }
  const [ours, theirs] = [quantile(millis.svc, 0.95), quantile(millis.bare, 0.95)];
  return {
    tenant: size,
    sees,
    "svc ms": quantile(millis.svc, 0.5),
    "svc p95": ours,
    "bare ms": quantile(millis.bare, 0.5),
    "bare p95": theirs,
    ratio: ours / theirs,
  };
}

function suggestAt(url: string, q: string): string {
  return `${url}/api/v1/search/suggest?q=${encodeURIComponent(q)}`;
}

function get(token: string) {
  return { method: "GET", headers: { authorization: `Bearer ${token}` } };
}
