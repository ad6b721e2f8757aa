import { EmbeddingFailure } from "@svc/embedding/embedding-failure";
import { waitUntil } from "@svc/testing/wait-until";
import { afterEach, expect } from "vitest";
import { ConceptEmbedder, conceptVector } from "../../../../../testing/embedders/concept-embedder.ts";
import { embedAll, meaningTown, test } from "../../../../../testing/meaning-test.ts";
import { ask, titles } from "../../../../../testing/search-test.ts";
import { TestBackend } from "../../../../../testing/test-backend.ts";
import { createLog } from "../../../../platform/process/log.ts";
import { Embedders, priced } from "../../../../platform/search/embedders.ts";
import { meaningObstacles } from "../../../../platform/search/meaning-obstacles.ts";
import type { QueryVector } from "../../../../platform/search/query-vectors.ts";
import { BudgetedQueryVectors } from "./budgeted-query-vectors.ts";

const log = createLog({ logLevel: "silent", logPretty: false });
const numbers = ({ vector = "[]" }: QueryVector) => JSON.parse(vector) as number[];
/** Asked even if no document has the word. */
const hybrid = { mode: "hybrid" };
const nobody = "00000000-0000-0000-0000-000000000000";

test("calls the model once for a text, and not at all from another process", async ({ backend }) => {
  const scope = { tenantId: (await backend.addTenant()).id, actorId: nobody };
  const embedder = new ConceptEmbedder();
  const embedders = new Embedders([priced(embedder, "0")]);
  const vectors = new BudgetedQueryVectors(backend.database, embedders);
  const [first, second] = await Promise.all([
    vectors.of(scope, "concepts", "car", log),
    vectors.of(scope, "concepts", "car", log),
  ]);
  expect(numbers(first)).toEqual([...conceptVector("car")]);
  expect(second).toEqual(first);
  await vectors.of(scope, "concepts", "car", log);
  const elsewhere = new BudgetedQueryVectors(backend.database, embedders);
  expect(numbers(await elsewhere.of(scope, "concepts", "car", log))).toEqual(numbers(first));
  expect(embedder.asked).toEqual(["car"]);
  const other = { ...scope, tenantId: (await backend.addTenant()).id };
  await vectors.of(other, "concepts", "car", log);
  expect(embedder.asked).toHaveLength(2);
});

test("does not wait for a slow model, leaves it alone for a while, and keeps its late answer", async ({
  backend,
}) => {
  const scope = { tenantId: (await backend.addTenant()).id, actorId: nobody };
  const embedder = new ConceptEmbedder();
  let endWait = () => {};
  const vectors = new BudgetedQueryVectors(backend.database, new Embedders([priced(embedder, "0")]), {
    restMillis: 3_600_000,
    startTimer: (end) => {
      endWait = end;
      return undefined;
    },
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  embedder.before = () => promise;
  const late = meaningObstacles.noAnswerInTime;
  const first = vectors.of(scope, "concepts", "car", log);
  await waitUntil(() => expect(embedder.asked).toEqual(["car"]));
  endWait();
  expect(await first).toEqual(late);
  expect(await vectors.of(scope, "concepts", "rain", log)).toEqual(late);
  expect(embedder.asked).toEqual(["car"]);
  resolve();
  await waitUntil(async () => expect((await vectors.of(scope, "concepts", "car", log)).vector).toBeDefined());
  expect((await vectors.of(scope, "concepts", "rain", log)).vector).toBeDefined();
  expect(embedder.asked).toEqual(["car", "rain"]);
});

test("if the model is down, a search uses words and says so", async ({ town, embedder }) => {
  await town.put("/a.txt", "an automobile");
  await town.put("/b.txt", "car");
  await embedAll(town);
  embedder.before = async () => {
    throw new EmbeddingFailure("unavailable", "no connection");
  };
  const answer = await ask(town, town.owner, "car");
  expect(titles(answer)).toEqual(["b.txt"]);
  expect(answer.semantic).toEqual({
    state: "unavailable",
    embedded: 2,
    waiting: 0,
    reason: "the embedder did not answer",
  });
  expect(await ask(town, town.owner, "car", { mode: "semantic" })).toMatchObject({
    hits: [],
    total: { value: 0 },
  });
  embedder.before = async () => {};
  expect(titles(await ask(town, town.owner, "car"))).toEqual(["b.txt", "a.txt"]);
});

const paid: TestBackend[] = [];
afterEach(async () => {
  for (const backend of paid.splice(0)) await backend.close();
});

test("costs only what the tenant allows: nothing without a budget, and nothing for repeated queries", async () => {
  const embedder = new ConceptEmbedder();
  // A word costs a thousandth.
  const backend = await TestBackend.start({
    embedders: [priced(embedder, "1000")],
    queryVectors: { entries: 1, restMillis: 0, waitMillis: 300_000 },
  });
  paid.push(backend);
  const town = await meaningTown(backend);
  const month = new Date();
  const next = new Date(Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1, 1))
    .toISOString()
    .slice(0, 10);
  expect((await ask(town, town.owner, "car", hybrid)).semantic).toMatchObject({
    state: "unavailable",
    reason: `the budget is used up until ${next}`,
  });
  expect(embedder.asked).toEqual([]);
  await backend.run(town.tenant.token, "budget set --limit 0.0025");
  expect((await ask(town, town.owner, "car", hybrid)).semantic.state).toBe("used");
  expect((await ask(town, town.owner, "rain", hybrid)).semantic.state).toBe("used");
  expect((await ask(town, town.owner, "car", hybrid)).semantic.state).toBe("used");
  expect((await ask(town, town.owner, "money", hybrid)).semantic.state).toBe("unavailable");
  expect(embedder.asked).toEqual(["car", "rain"]);
  expect(await backend.run(town.tenant.token, "budget show")).toMatchObject({ spent: "0.002" });
});

test("a refusal costs nothing, a failure may", async () => {
  const embedder = new ConceptEmbedder();
  const backend = await TestBackend.start({
    embedders: [priced(embedder, "1000")],
    queryVectors: { restMillis: 0, waitMillis: 300_000 },
  });
  paid.push(backend);
  const town = await meaningTown(backend);
  await backend.run(town.tenant.token, "budget set --limit 1");
  embedder.before = async () => {
    throw new EmbeddingFailure("refused", "what?");
  };
  expect((await ask(town, town.owner, "car", hybrid)).semantic).toMatchObject({
    reason: "the embedder refused the query",
  });
  expect(await backend.run(town.tenant.token, "budget show")).toMatchObject({ spent: "0.00" });
  const after = async (query: string, failure: EmbeddingFailure) => {
    embedder.before = async () => {
      throw failure;
    };
    await ask(town, town.owner, query, hybrid);
    return ((await backend.run(town.tenant.token, "budget show")) as { spent: string }).spent;
  };
  expect(await after("car 500", new EmbeddingFailure("unavailable", "answered 500", { status: 500 }))).toBe(
    "0.00",
  );
  expect(await after("rain", new EmbeddingFailure("malformed", "no numbers"))).toBe("0.001");
  expect(await after("money", new EmbeddingFailure("unavailable", "no answer"))).toBe("0.002");
  const late = new EmbeddingFailure("unavailable", "answered 504", { status: 504 });
  expect(await after("doctor", late)).toBe("0.003");
});

test("holds no connection while the model is called", async () => {
  const embedder = new ConceptEmbedder();
  const backend = await TestBackend.start({
    embedders: [priced(embedder, "0")],
    queryVectors: { waitMillis: 300_000 },
    maxConnections: 1,
  });
  paid.push(backend);
  const town = await meaningTown(backend);
  const { promise, resolve } = Promise.withResolvers<void>();
  embedder.before = () => promise;
  const waiting = ask(town, town.owner, "car", hybrid);
  await waitUntil(() => expect(embedder.asked).toEqual(["car"]));
  expect((await ask(town, town.owner, "car", { mode: "fulltext" })).hits).toEqual([]);
  resolve();
  expect((await waiting).semantic.state).toBe("used");
});
