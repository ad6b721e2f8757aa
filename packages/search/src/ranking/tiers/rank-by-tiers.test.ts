import { randomUUID } from "node:crypto";
import { Database, type TenantTransaction } from "@svc/database/database";
import { faultSize } from "@svc/testing/fault-size";
import { createTestDatabase, type TestDatabase } from "@svc/testing/test-database";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type SearchDocument, writeDocuments } from "../../index/documents.ts";
import { writePlace } from "../../index/places.ts";
import { sharedShelf } from "../../index/shelf.ts";
import { parseQuery } from "../../query/parse-query.ts";
import { phraseQueries } from "../../query/query-words.ts";
import { type Filters, type Source, visibleDocuments } from "../../visibility/visible-documents.ts";
import { has, rankedColumns } from "../candidates.ts";
import { countWords, weighWords } from "../count-words.ts";
import { type RankingKey, rankCandidates } from "../rank-candidates.ts";
import { rankDocuments } from "../rank-documents.ts";
import type { DocumentsToRank } from "../ranked-page.ts";
import type { RankedQuery } from "../search-query.ts";
import { rankedWords } from "../word-score.ts";
import { hasTiers } from "./has-tiers.ts";
import { rankByTiers } from "./rank-by-tiers.ts";

const tenantId = randomUUID();
const scope = { tenantId, actorId: tenantId };
const workspaceId = randomUUID();
const places = Array.from({ length: 10 }, () => randomUUID());
const now = new Date("2026-06-01T00:00:00Z");
const written = 3_100;
const isFull = faultSize(1, 0) === 1;

let testDatabase: TestDatabase;
let database: Database;
let seed = 7;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = new Database({ url: testDatabase.appUrl });
  await database.withTenant(scope, "write", async (transaction) => {
    for (const id of places)
      await writePlace(transaction, { id, workspaceId, parentId: null, scopeId: id, isHidden: false });
    await writeDocuments(transaction, Array.from({ length: written }, drawDocument));
  });
});
afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

const queries = [
  "w1",
  "w3",
  "w20",
  "w1 w2",
  "w2 w40",
  "w1 w2 w3",
  "w5 w9 w30",
  "w1 w2 w3 w4 w60 w70",
  "w1 -w2",
  "the w1",
  "W2W3",
  "report w1",
  "reports universities",
];

const phrases = [
  '"w1 w2"',
  '"w2 w1 w1"',
  '"w3 w40"',
  '"w1 w2" w3',
  '"w1 w2" "w2 w3"',
  '"w1 w2" OR w30',
  '"w1 w2" OR "w3 w4"',
  "w1 OR w30",
  '"w1 report"',
  "w1-w2",
  "w1/w2 w3",
];

describe.each([
  ["everything", places],
  ["a tenth", places.slice(0, 1)],
])("for callers who see %s", (_, visible) => {
  test.each(queries)("ranks %j like an exhaustive ranking, from few documents", async (typed) => {
    const { found, expected, isExact, words } = await compare(typed, { scopeIds: visible });
    if (words <= 3) expect(isExact).toBe(true);
    if (isExact) expect(found).toEqual(expected);
    expect(found.filter((id) => expected.includes(id)).length).toBeGreaterThanOrEqual(0.9 * expected.length);
  });

  test.each(phrases)("ranks %j like an exhaustive ranking, from documents with its words", async (typed) => {
    for (const limit of isFull ? [5, 21, 200, 2_000] : [21, 2_000]) {
      const { found, expected, isExact } = await compare(typed, { scopeIds: visible, limit });
      if (isExact || found.length < limit) expect({ limit, found }).toEqual({ limit, found: expected });
      const right = found.filter((id) => expected.includes(id));
      expect(right.length).toBeGreaterThanOrEqual(0.9 * expected.length);
    }
  });
});

test.each([120, 500, 2_000])(
  "with an average length of %i, which is not the one that was written for",
  async (length) => {
    for (const typed of ["w1", "w1 w2", "report w1"]) {
      const { found, expected, isExact } = await compare(typed, { averageLength: length });
      if (isExact) expect(found).toEqual(expected);
    }
  },
);

test("names alone are ranked without texts", async () => {
  for (const typed of ["w1", "report", "w1 w2", "report w1 w2"]) {
    const { found, expected, isExact } = await compare(typed, { content: false });
    expect(isExact).toBe(true);
    expect(found).toEqual(expected);
  }
});

test("a word that is being typed finds its beginnings, after whole words", async () => {
  for (const typed of ["w1", "w2 rep", "w1 w2"]) {
    const { found, expected } = await compare(typed, { isTyping: true });
    expect(found).toEqual(expected);
  }
});

test("words of folder names bring documents to the top, wherever they lie", async () => {
  for (const [typed, paths] of [
    ["report w40", [[], places.slice(0, 2)]],
    ["w1 report w60", [places.slice(0, 1), [], places.slice(0, 5)]],
  ] as const) {
    const { found, expected, isExact } = await compare(typed, { paths });
    expect(isExact).toBe(true);
    expect(found).toEqual(expected);
    expect(found).not.toEqual((await compare(typed)).found);
  }
});

test("of many documents with the words in name and path, the best are found", async () => {
  const paths = [[], places];
  const { found, expected, isExact } = await compare("report w90", {
    paths,
    limits: { first: 30, most: 700 },
  });
  expect(isExact).toBe(true);
  expect(found).toEqual(expected);
});

test("of many documents with the same name, the best are found", async () => {
  const named = Array.from({ length: 600 }, (_, number) => {
    const drawn = drawDocument();
    return { ...drawn, name: "readme.md", text: drawn.text + " readme".repeat(number % 15 === 0 ? 20 : 0) };
  });
  await database.withTenant(scope, "write", (transaction) => writeDocuments(transaction, named));
  const { found, expected, isExact } = await compare("readme.md", { limits: { first: 30, most: 400 } });
  expect(isExact).toBe(true);
  expect(found).toEqual(expected);
});

test("what was found is not lost again if the next round has too many documents", async () => {
  // A small sample: the next round has more documents than expected, and some of them are ranked.
  for (const typed of ["w1 w2 w3 w4", "w1 w3 w5"])
    for (const most of [300, 400, 510]) {
      const { found, expected } = await compare(typed, { limits: { first: 30, most }, mostSampled: 40 });
      expect({ typed, most, found: found.slice(0, 5) }).toEqual({ typed, most, found: expected.slice(0, 5) });
    }
});

test("the best is found even if more documents than allowed are nearly as good", async () => {
  const good = Array.from({ length: 900 }, () => ({
    ...drawDocument(),
    name: "good.txt",
    text: `${"omega ".repeat(3)}${"filler ".repeat(20)}`,
  }));
  // Written last, so that they lie behind all others.
  const best = Array.from({ length: 5 }, () => ({
    ...drawDocument(),
    name: "best.txt",
    text: `${"omega ".repeat(40)}${"filler ".repeat(20)}`,
  }));
  await database.withTenant(scope, "write", async (transaction) => {
    await writeDocuments(transaction, good);
    await writeDocuments(transaction, best);
  });
  for (const mostSampled of [40, 400, 5_000]) {
    const { found, expected } = await compare("omega", {
      ...{ limit: 3, limits: { first: 30, most: 300 }, mostSampled },
    });
    expect({ mostSampled, found }).toEqual({ mostSampled, found: expected });
  }
});

test("of lower tiers only new documents are ranked, and none that belongs on the page is missed", async () => {
  const aged = Array.from({ length: 700 }, () => ({
    ...drawDocument(),
    name: "aged.txt",
    text: `${"zeta ".repeat(1 + Math.floor(draw() ** 3 * 14))}${"filler ".repeat(80)}`,
  }));
  await database.withTenant(scope, "write", (transaction) => writeDocuments(transaction, aged));
  for (const limit of isFull ? [3, 5, 8, 13, 21, 34] : [3, 13, 34]) {
    for (const first of [limit, 2 * limit, 4 * limit]) {
      const page = await compare("zeta", { limit, limits: { first, most: 20_000 }, averageLength: 250 });
      expect({ limit, first, found: page.found }).toEqual({ limit, first, found: page.expected });
      expect(page.isExact).toBe(true);
      // Whatever their age, 380.
      if (limit <= 13) expect(page.ranked).toBeLessThan(130);
    }
  }
});

test("filters leave fewer, and the page is still the best of them", async () => {
  for (const filters of [{ types: ["pdf"] }, { updatedAfter: new Date("2026-05-20T00:00:00Z") }]) {
    const { found, expected, isExact } = await compare("w1 w2", { filters });
    expect(isExact).toBe(true);
    expect(found).toEqual(expected);
  }
});

test("pages continue without gaps or duplicates, to the end", async () => {
  const { expected } = await compare("w1 w4", { limit: 2 * written });
  const limit = faultSize(97, 397);
  const found: string[] = [];
  let after: RankingKey | undefined;
  do {
    const page = await read((transaction) => rank(transaction, "w1 w4", { limit, after }));
    found.push(...page.documents.map(({ id }) => id));
    after = page.documents.length === limit ? page.documents.at(-1) : undefined;
  } while (after);
  expect(found).toEqual(expected);
});

test("a document just written is found first, wherever it lies", async () => {
  const best = { ...drawDocument(), name: "w1.txt", text: "w1 w1 w1 w1 w1 w1 w1 w1", updatedAt: now };
  const named = { ...drawDocument(), name: "w2", text: "" };
  await database.withTenant(scope, "write", (transaction) => writeDocuments(transaction, [best, named]));
  expect((await compare("w1")).found.slice(0, 3)).toContain(best.id);
  expect((await compare("w2")).found[0]).toBe(named.id);
});

test("a phrase that few of the documents with its words have is found, wherever it lies", async () => {
  const distant = Array.from({ length: 900 }, (_, number) => ({
    ...drawDocument(),
    name: "distant.txt",
    text: `north ${"filler ".repeat(40)} south ${number % 30 === 0 ? "north south" : ""} ${"north ".repeat(draw() * 9)}`,
  }));
  await database.withTenant(scope, "write", (transaction) => writeDocuments(transaction, distant));
  for (const limit of [5, 21, 60]) {
    const { found, expected } = await compare('"north south"', { limit });
    expect({ limit, found }).toEqual({ limit, found: expected });
  }
  const all = await compare('"north south"', { limit: 60 });
  expect({ hits: all.found.length, isExact: all.isExact }).toEqual({ hits: 30, isExact: true });
});

test("if joined words take too long to find, the page has loose ones, and is not proved", async () => {
  const loose = Array.from({ length: 1_300 }, (_, number) => {
    const [east, west] = number < 30 ? ["east ".repeat(20), "west ".repeat(20)] : ["east ", "west"];
    const joined = number > 1_297 ? "east west" : "";
    return { ...drawDocument(), name: "loose.txt", text: `${east}${"filler ".repeat(280)}${west} ${joined}` };
  });
  await database.withTenant(scope, "write", (transaction) => writeDocuments(transaction, loose));
  const cut = await compare("east-west", { limits: { first: 5, most: 100 } });
  expect({ hits: cut.found.length, isExact: cut.isExact }).toEqual({ hits: 21, isExact: false });
  const { found, expected, isExact } = await compare("east-west");
  expect({ found, isExact }).toEqual({ found: expected, isExact: true });
  expect(cut.found).not.toEqual(expected);
});

test("a phrase of common words is ranked by tiers, and one with a rare word whole", async () => {
  const search = (documents: number, frequencies: readonly number[]) =>
    read(async (transaction) => {
      const { query, asked } = await prepare(transaction, '"w1 w2"', { limit: 5 });
      const statistics = { ...asked.statistics, documents };
      return rankDocuments(transaction, query, { ...asked, statistics, frequencies });
    });
  const rare = await search(100_000, [90_000, 2_000]);
  expect(rare).toMatchObject({ isComplete: true, isExact: true });
  expect(await search(30_000, [29_000, 20_000])).toEqual(rare);
  const common = await search(100_000, [90_000, 20_000]);
  expect(common.isComplete).toBe(false);
  expect(common.candidates).toBeLessThan(rare.candidates);
  expect(common.documents).toEqual(rare.documents);
});

test("says so if more would have to be ranked than allowed", async () => {
  const { isExact, ranked } = await compare("w3 w4 w5", { limits: { first: 10, most: 25 } });
  expect({ isExact, isMore: ranked > 25 }).toEqual({ isExact: false, isMore: false });
});

test("answers with what it has if the time is over, and says so", async () => {
  const page = await read((transaction) =>
    rank(transaction, "w1 w2", { limits: { first: 10, most: 20_000 }, millis: 1 }),
  );
  expect(page.isTimedOut).toBe(true);
});

test("only a tenant whose documents all have tiers is searched by tiers", async () => {
  const shelves = [sharedShelf(tenantId)];
  const check = () => read((transaction) => hasTiers(transaction, shelves));
  expect(await check()).toBe(true);
  const age = (version: number, from: number) =>
    database.withTenant(scope, "write", ({ db }) =>
      sql`update app.searchable set analyser_version = ${version}
        where id = (select id from app.searchable where analyser_version = ${from} order by id limit 1)`.execute(
        db,
      ),
    );
  for (const version of [0, 1, 3]) {
    await age(version, 2);
    expect(await check()).toBe(false);
    await age(2, version);
  }
  expect(await check()).toBe(true);
});

test("one document of an earlier version, and the tenant is not searched by tiers", async () => {
  const search = () =>
    read(async (transaction) => {
      const { query, asked } = await prepare(transaction, "w1 w2 w3", {});
      return rankDocuments(transaction, query, asked);
    });
  expect((await search()).isExact).toBe(true);
  const old = { ...drawDocument(), name: "w1 w2 w3", text: "" };
  await database.withTenant(scope, "write", async (transaction) => {
    await writeDocuments(transaction, [old]);
    await sql`update app.searchable set analyser_version = 1, name_tsv = '''w1'':1 ''w2'':2 ''w3'':3', body_tsv = ''
      where id = ${old.id}`.execute(transaction.db);
  });
  expect((await search()).isExact).toBe(false);
});

test("callers who see few documents have all matches ranked, however common the words are", async () => {
  const page = await read(async (transaction) => {
    const { query, asked } = await prepare(transaction, "w1 w2 w3 w4 w5 w6", {
      scopeIds: places.slice(0, 5),
    });
    const statistics = { ...asked.statistics, documents: written / 2 };
    return rankDocuments(transaction, query, { ...asked, statistics });
  });
  expect(page).toMatchObject({ isComplete: true, isExact: true });
});

interface Options {
  scopeIds?: readonly string[];
  content?: boolean;
  isTyping?: boolean;
  averageLength?: number;
  filters?: Partial<Filters>;
  limit?: number;
  limits?: { first: number; most: number };
  mostSampled?: number;
  after?: RankingKey | undefined;
  millis?: number;
  paths?: RankedQuery["paths"];
}

/** The page by tiers, and the page of ranking every match. */
function compare(typed: string, options: Options = {}) {
  return read(async (transaction) => {
    const page = await rank(transaction, typed, options);
    const { query, asked, words } = await prepare(transaction, typed, options);
    const needed = words.filter(({ isNeeded }) => isNeeded);
    const phrases = phraseQueries(query.parsed.phrases);
    const excluded = phraseQueries(query.parsed.excluded);
    const all = await rankCandidates(transaction, query, {
      ...asked,
      words,
      isWordless: false,
      byWords: (name) => sql`${name} as materialized (
        select ${rankedColumns(query, words)} ${visibleDocuments(query.source)}
          and (${sql.join(
            needed.map((word) => has(word, query.content)),
            sql` or `,
          )})
          and ${sql.join([sql`true`, ...phrases.map((phrase) => has(phrase, true))], sql` and `)}
          and ${sql.join([sql`true`, ...excluded.map((phrase) => sql`not ${has(phrase, true)}`)], sql` and `)})`,
    });
    return {
      found: page.documents.map(({ id }) => id),
      expected: all.documents.map(({ id }) => id),
      isExact: page.isExact,
      ranked: page.candidates,
      words: words.length,
    };
  });
}

async function rank(transaction: TenantTransaction, typed: string, options: Options) {
  const { query, asked, words } = await prepare(transaction, typed, options);
  return rankByTiers(transaction, query, words, asked);
}

async function prepare(transaction: TenantTransaction, typed: string, options: Options) {
  const { content = true, isTyping = false, limit = 21, limits = { first: 30, most: 20_000 } } = options;
  // Long enough for a busy machine.
  const { millis = 60_000 } = options;
  const parsed = parseQuery(typed, { isTyping });
  const visibility = { workspaceIds: [workspaceId], scopeIds: options.scopeIds ?? places, doorIds: [] };
  const filters = { entityTypes: ["FILE" as const], ...options.filters };
  const source: Source = { tenantId, shelves: [sharedShelf(tenantId)], visibility, filters, reach: "row" };
  const query: RankedQuery = { parsed, content, source, paths: options.paths ?? [] };
  const { averageLength = 60, mostSampled } = options;
  const shape = { reach: "row" as const, spoken: [], mostSampled };
  const statistics = { documents: written, all: written, averageLength, ...shape };
  const frequencies = await countWords(transaction, query, statistics, { shown: true });
  const weights = weighWords(parsed, written, frequencies);
  const asked: DocumentsToRank = {
    ranking: { weights, averageLength, now },
    statistics,
    frequencies,
    after: options.after,
    limit,
    limits,
    millis,
  };
  return { query, asked, words: rankedWords(query, weights) };
}

function read<T>(work: (transaction: TenantTransaction) => Promise<T>): Promise<T> {
  return database.withTenant(scope, "read", work);
}

/** Words are uneven, and come in bursts; some names have them, too. */
function drawDocument(): SearchDocument {
  const words = Array.from({ length: 5 + Math.floor(draw() * 115) }, drawWord);
  const burst = drawWord();
  const text = draw() < 0.3 ? [...words, ...Array.from({ length: 1 + draw() * 9 }, () => burst)] : words;
  const name = [drawWord(), ...(draw() < 0.3 ? ["reports"] : []), ...(draw() < 0.5 ? [drawWord()] : [])].join(
    " ",
  );
  const extension = draw() < 0.05 ? "pdf" : "txt";
  return {
    id: drawId(),
    entityType: "FILE",
    workspaceId,
    placeId: places[Math.floor(draw() * places.length)] ?? "",
    name: `${name}.${extension}`,
    text: text.join(" "),
    mediaType: "text/plain",
    ownerId: null,
    updatedAt: new Date(now.getTime() - draw() * 700 * 86_400_000),
    contentVersion: 1,
  };
}

/** Drawn like everything else: the sample, which decides how a search begins, is chosen by ids. */
function drawId(): string {
  const part = () =>
    Math.floor(draw() * 2 ** 16)
      .toString(16)
      .padStart(4, "0");
  return `${part()}${part()}-${part()}-4${part().slice(1)}-8${part().slice(1)}-${part()}${part()}${part()}`;
}

function drawWord(): string {
  const rank = Math.floor(100 ** draw());
  return rank === 7 ? "report" : rank === 8 ? "university" : `w${rank}`;
}

/** Mulberry32. */
function draw(): number {
  seed = (seed + 0x6d2b79f5) >>> 0;
  let mixed = seed;
  mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
}
