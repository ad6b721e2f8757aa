import { CliAnswer } from "@svc/protocol/exchange";
import { Problem } from "@svc/protocol/problem";
import { faultSize } from "@svc/testing/fault-size";
import { runSeed } from "@svc/testing/run-seed";
import fc from "fast-check";
import type { InjectOptions, LightMyRequestResponse } from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { SearchResult } from "../../src/features/search/finding/show/search-view.ts";
import { FilesTown } from "../../testing/files-test.ts";
import { TestBackend } from "../../testing/test-backend.ts";
import { hostileQueries, hostileQuery } from "./hostile-query.ts";
import { oddCursor, oddFilters } from "./odd-search-request.ts";

/** Every query gets a well-formed answer that costs a bounded time. Every text is sent and typed. SVC_SEED repeats a run. */
const queries = Number(process.env.SVC_QUERIES ?? faultSize(20_000, 400));
/** The processor time of a query, as a multiple of a plain one: no input makes it quadratic. */
const mostTimesPlain = 150;
const seed = runSeed();
const Answer = SearchResult.omit({ items: true }).extend({ hits: SearchResult.shape.items }).strict();

let backend: TestBackend;
let town: FilesTown;
let guest: string;
let log = "";
const counts = { answers: 0, refused: 0, plain: 0, costliest: 0, costliestQuery: "" };

beforeAll(async () => {
  backend = await TestBackend.start({
    logTo: {
      write: (line) => {
        if (line.includes("unexpected error")) log = line;
      },
    },
  });
  town = await FilesTown.build(backend, await backend.addTenant(), "Town");
  await town.run("files mkdir /reports");
  await town.put(
    "/reports/Q3 report.md",
    "The quick brown fox: 12 % of net revenue, naïve café, Straße, 東京都.",
  );
  await town.put("/reports/a & b | c !d.txt", "select * from users where 'x' = 'x'; --");
  for (let index = 0; index < 40; index += 1)
    await town.put(`/note ${index}.txt`, `a zebra, number ${index}`);
  guest = await town.person("Gus");
  await town.run(`access grant /reports ${town.tenant.addressOf("Gus")} --role viewer`);
  for (let warming = 0; warming < 20; warming += 1) await send({ query: "zebra note", searchContent: true });
  const plain: number[] = [];
  for (let index = 0; index < 20; index += 1)
    plain.push(await costOf(() => send({ query: "zebra note", searchContent: true })));
  counts.plain = Math.round(plain.toSorted((one, other) => one - other)[10] ?? Number.NaN);
});
afterAll(() => backend.close());

test("known nasty texts, sent and typed, with and without searching texts", {
  timeout: 1_800_000,
}, async () => {
  for (const query of hostileQueries.filter(
    (_, index) => index % faultSize(1, 6) === seed % faultSize(1, 6),
  )) {
    for (const searchContent of [true, false]) await send({ query, searchContent });
    await type(["search", "query", query]);
    await type(["search", "query", "--", query]);
  }
  report();
});

test("any text, with any filters and any cursor", { timeout: 7_200_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(
      hostileQuery,
      fc.boolean(),
      // Most odd filters and all odd cursors are refused before the search, so there are few of them.
      fc.oneof({ weight: 5, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: oddFilters }),
      fc.oneof({ weight: 19, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: oddCursor }),
      fc.boolean(),
      async (query, searchContent, filters, cursor, isTyped) => {
        if (isTyped) await type(["search", "query", "--", query]);
        else await send({ query, searchContent, ...filters, ...(cursor === undefined ? {} : { cursor }) });
      },
    ),
    { numRuns: queries, seed, endOnFailure: true },
  );
  report();
  expect(counts.answers - counts.refused, "most were searched for").toBeGreaterThan(queries * 0.7);
});

test("a cursor that somebody changed", async () => {
  const question = { query: "zebra", searchContent: true, limit: 3 };
  const { nextCursor } = (await send(question)) ?? {};
  const cursor = JSON.parse(Buffer.from(nextCursor ?? "", "base64url").toString());
  const numbers = ["0", "-1", "1e308", "-1e308", "1e-320", "1e999", "2147483648", "9007199254740991", "0.5"];
  const odd = [...numbers, '"x"', "null", "[]", "{}", '"9999-12-31T23:59:59.999Z"', '"0000-01-01T00:00:00Z"'];
  for (const field of Object.keys(cursor)) {
    for (const value of [...odd, ...odd.map((one) => `[${one}]`), `[${"1,".repeat(150)}1]`]) {
      const text = JSON.stringify({ ...cursor, [field]: "?" }).replace('"?"', value);
      await send({ ...question, cursor: Buffer.from(text).toString("base64url") });
    }
  }
  // A cursor of another search, and of another person: callers can only change their own answer.
  await send({ ...question, query: "note", cursor: nextCursor });
  await send({ ...question, cursor: nextCursor }, guest);
  for (const text of ["", "x", "\0", "🦊", "e30", "W10", "bnVsbA", "A".repeat(5_000), "A".repeat(5_001)])
    await send({ ...question, cursor: text });
  report();
});

/** Processor time of this process, in microseconds. */
async function costOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

function report(): void {
  process.stdout.write(`hostile queries: ${JSON.stringify(counts)}, SVC_SEED=${seed}\n`);
}

async function send(payload: Record<string, unknown>, token = town.owner) {
  const answer = await knownAnswer({ method: "POST", url: "/api/v1/search", payload }, token);
  return answer === undefined ? undefined : Answer.parse(answer);
}

async function type(argv: string[]): Promise<void> {
  const payload = { argv, want: counts.answers % 2 === 0 ? "data" : "text" };
  const answer = await knownAnswer({ method: "POST", url: "/api/v1/cli", payload }, town.owner);
  if (answer === undefined) return;
  const { data } = CliAnswer.parse(answer) as { data?: unknown };
  if (data !== undefined && argv.length < 4 && !argv[2]?.startsWith("-")) SearchResult.strict().parse(data);
}

/** Undefined if it was refused with a known problem. */
async function knownAnswer(request: InjectOptions, token: string): Promise<object | undefined> {
  log = "";
  const asked = () => JSON.stringify(request.payload).slice(0, 2_000);
  const headers = { authorization: `Bearer ${token}` };
  let answer = {} as LightMyRequestResponse;
  const cost = await costOf(async () => {
    answer = await backend.server.inject({ ...request, headers });
  });
  counts.answers += 1;
  if (cost > counts.costliest)
    Object.assign(counts, { costliest: cost, costliestQuery: asked().slice(0, 80) });
  if (counts.plain > 0) expect(cost, asked()).toBeLessThan(counts.plain * mostTimesPlain);
  if (answer.statusCode >= 500) throw new Error(`${answer.statusCode} ${asked()}\n${answer.body}\n${log}`);
  if (answer.statusCode === 200) return answer.json();
  counts.refused += 1;
  expect(Problem.strict().parse(answer.json()).code, asked()).toMatch(
    /^(usage|invalid_arguments|invalid_request|too_large)$/,
  );
  return undefined;
}
