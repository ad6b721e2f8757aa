import { StatisticsCache } from "@svc/search/ranking/statistics";
import { faultSize } from "@svc/testing/fault-size";
import { runSeed } from "@svc/testing/run-seed";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { DemoVisits } from "../../testing/rights-world/demo-visits.ts";
import { roughQueries } from "../../testing/rights-world/rough-query.ts";
import { type SearchQuestion, searchQuestion } from "../../testing/rights-world/search-question.ts";
import { searchScript } from "../../testing/rights-world/search-step.ts";
import { askOnce, SearchedWorld } from "../../testing/rights-world/searched-world.ts";
import { WorldTenant } from "../../testing/rights-world/world.ts";
import { people, type Searcher } from "../../testing/rights-world/world-model.ts";
import { TestBackend } from "../../testing/test-backend.ts";

/**
 * Searches the worlds of the rights oracle while people act in them at random: hits, totals, suggestions and snippets
 * are what a person can see and what matches, by a model that knows nothing about scopes, lexemes or SQL; and hidden
 * things change no byte of their answers. SVC_SEED repeats a run.
 */
const lanes = 3;
/** In a copy with a planted mistake (search-plants). */
const worldCount = Number(process.env.SVC_WORLDS ?? faultSize(5_000, 3, 800));
/** So that a search everywhere covers several worlds, not hundreds. */
const worldsOfTenant = 8;
const seed = runSeed();

/** A search that takes too long answers less: correct, but not what the model says. */
vi.mock("@svc/search/visibility/within-time", async (original) => {
  const { withinTime } = await original<typeof import("@svc/search/visibility/within-time")>();
  const patient: typeof withinTime = (transaction, millis, ...rest) =>
    withinTime(transaction, 60 * millis, ...rest);
  return { withinTime: patient };
});

/** Another tenant is the demo every now and then. */
vi.mock("../../src/platform/identity/short-cache.ts", async (original) => {
  const { ShortCache } = await original<typeof import("../../src/platform/identity/short-cache.ts")>();
  class Forgetful<Value> extends ShortCache<Value> {
    override get(key: string, load: () => Promise<Value>): Promise<Value> {
      return key === "demo" ? load() : super.get(key, load);
    }
  }
  return { ShortCache: Forgetful };
});
const demo = { visitors: 1e6, visitorsPerAddress: 1e6, ratePerAddress: 1e9 };
const searchers: readonly Searcher[] = [...people, "visitor"];

const backends: TestBackend[] = [];
beforeAll(async () => {
  // Whether statistics are cached, recounted or sampled, nobody learns what they cannot see.
  for (const options of [{ fewFor: 0 }, { fewFor: 1e9 }, { fewFor: 0, mostSampled: 4 }]) {
    const statistics = new StatisticsCache(options);
    backends.push(await TestBackend.start({ maxConnections: 4, statistics, demo }));
  }
  // New content ranks a little higher: one fixed time for all, so that answers can be compared.
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 60_000 });
});
afterAll(async () => {
  vi.useRealTimers();
  for (const backend of backends) await backend.close();
});

const questions = fc.array(searchQuestion, { minLength: 12, maxLength: 12 });

test("everybody finds only what they can see and what matches", {
  timeout: 7_200_000,
}, async () => {
  const totals = {
    ...{ worlds: 0, steps: 0, answers: 0, hits: 0, suggested: 0, visitors: 0, unseenByVisitors: 0 },
    ...{ unseen: 0, changes: 0, corrected: 0, byPath: 0, passages: 0 },
  };
  const report = () => process.stdout.write(`searched: ${JSON.stringify(totals)}, SVC_SEED=${seed}\n`);
  const inLane = async (lane: number) => {
    const backend = backends[lane % backends.length] as TestBackend;
    const foreigner = await (await backend.addTenant()).addPerson("stranger");
    await askOnce(backend, foreigner.token, { query: "alder" });
    let town = await Town.build(backend);
    await fc.assert(
      fc.asyncProperty(
        searchScript,
        questions,
        roughQueries,
        fc.nat(1_000),
        async (steps, asked, rough, choice) => {
          if (town.worlds.length === worldsOfTenant) town = await Town.build(backend);
          const { tenant, worlds, visits, stranger } = town;
          const searched = await SearchedWorld.build(tenant, worlds, visits);
          let looks = choice;
          const lookOnce = async () => {
            looks += 1;
            const who = searchers[looks % searchers.length] as Searcher;
            const question = asked[looks % asked.length] as SearchQuestion;
            await searched.compare(who, searched.tokenOf(who), question);
            if (who === "visitor") totals.visitors += 1;
          };
          for (const [index, step] of steps.entries()) {
            await searched.take(step, lookOnce);
            if (index % 4 === choice % 4) await lookOnce();
          }
          for (let person = 0; person < 3; person += 1) await lookOnce();
          const [question, other] = asked as [SearchQuestion, SearchQuestion];
          await searched.compare("root", tenant.token("root"), { ...other, ...wholeWorld });
          await searched.compare("stranger", choice % 2 ? stranger : foreigner.token, other);
          await searched.compare("visitor", searched.tokenOf("visitor"), question);
          totals.visitors += 1;
          const unaware = await searched.changeUnseen(choice, question, rough);
          if (unaware) totals.unseen += 1;
          if (unaware === "visitor") totals.unseenByVisitors += 1;
          totals.worlds += 1;
          totals.steps += steps.length;
          for (const [name, count] of Object.entries(searched.counts))
            totals[name as keyof typeof searched.counts] += count;
          if (totals.worlds % 100 === 0) report();
        },
      ),
      // Not shrunk, because every attempt would search a whole world for minutes.
      { numRuns: Math.ceil(worldCount / lanes), seed: seed + lane, endOnFailure: true },
    );
  };
  await Promise.all(Array.from({ length: lanes }, (_, lane) => inLane(lane)));
  report();
  expect(totals.worlds).toBeGreaterThanOrEqual(worldCount);
  // Every world is found by its administrator, whatever happened in it.
  expect(totals.hits).toBeGreaterThanOrEqual(totals.worlds);
  // Hardly ever does everybody see everything; in the few worlds of a sample it may be.
  if (process.env.SVC_FAULTS !== "full") return;
  expect(totals.unseenByVisitors).toBeGreaterThan(0);
  expect(totals.unseen).toBeGreaterThan(totals.worlds / 2);
});

/** Finds the workspace, whatever it is called. */
const wholeWorld = {
  ...{ words: ["world", "zeppelin"], phrases: [], without: [], entityTypes: ["WORKSPACE"] },
  ...{ type: undefined, notType: undefined, in: undefined, notIn: undefined },
  ...{ title: undefined, notTitle: undefined, path: undefined, ext: undefined, either: undefined },
};

/** A tenant with its worlds so far, and a person in none of them. */
interface TownParts {
  tenant: WorldTenant;
  worlds: SearchedWorld[];
  visits: DemoVisits;
  stranger: string;
}

const Town = {
  async build(backend: TestBackend): Promise<TownParts> {
    const tenant = await WorldTenant.build(backend);
    const visits = await DemoVisits.begin(backend, tenant);
    return { tenant, worlds: [], visits, stranger: await tenant.addStranger() };
  },
};
