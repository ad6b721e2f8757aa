import { randomInt } from "node:crypto";
import { StatisticsCache } from "@svc/search/ranking/statistics";
import { faultSize } from "@svc/testing/fault-size";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type SearchQuestion, searchQuestion } from "../../testing/rights-world/search-question.ts";
import { searchScript } from "../../testing/rights-world/search-step.ts";
import { askOnce, SearchedWorld } from "../../testing/rights-world/searched-world.ts";
import { WorldTenant } from "../../testing/rights-world/world.ts";
import { people } from "../../testing/rights-world/world-model.ts";
import { TestBackend, type TestTenant } from "../../testing/test-backend.ts";

/**
 * Searches the worlds of the rights oracle while people act in them at random: hits, totals, suggestions and snippets
 * are what a person can see and what matches, by a model that knows nothing about scopes, lexemes or SQL; and hidden
 * things change no byte of their answers. SVC_SEED repeats a run.
 */
const lanes = 4;
/** In a copy with a planted mistake (search-plants). */
const worldCount = Number(
  process.env.SVC_WORLDS ?? faultSize(5_000, process.env.SVC_FAULTS === "plants" ? 400 : 12),
);
/** So that a search everywhere covers several worlds, not hundreds. */
const worldsOfTenant = 12;
const seed = Number(process.env.SVC_SEED ?? randomInt(2 ** 31));

const backends: TestBackend[] = [];
beforeAll(async () => {
  // Whether statistics are cached or recounted, nobody learns what they cannot see.
  for (const fewFor of [0, 1e9]) {
    backends.push(
      await TestBackend.start({ maxConnections: 6, statistics: new StatisticsCache({ fewFor }) }),
    );
  }
  // New content ranks a little higher: one fixed time for all, so that answers can be compared.
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 60_000 });
});
afterAll(async () => {
  vi.useRealTimers();
  for (const backend of backends) await backend.close();
});

const questions = fc.array(searchQuestion, { minLength: 24, maxLength: 24 });

test("everybody finds only what they can see and what matches", {
  timeout: 7_200_000,
}, async () => {
  const totals = { worlds: 0, steps: 0, answers: 0, hits: 0, suggested: 0, unseen: 0 };
  const inLane = async (lane: number) => {
    const backend = backends[lane % backends.length] as TestBackend;
    let town = await Town.build(backend);
    await fc.assert(
      fc.asyncProperty(searchScript, questions, fc.nat(1_000), async (steps, asked, choice) => {
        if (town.worlds.length === worldsOfTenant) town = await Town.build(backend);
        const searched = await SearchedWorld.build(town.tenant, town.worlds);
        let looks = choice;
        const lookOnce = async () => {
          looks += 1;
          const person = people[looks % people.length] as (typeof people)[number];
          const question = asked[looks % asked.length] as SearchQuestion;
          await searched.compare(person, town.tenant.token(person), question);
        };
        for (const step of steps) await searched.take(step, lookOnce);
        for (const [index, person] of people.entries()) {
          for (const question of asked.slice(index * 4, index * 4 + 4))
            await searched.compare(person, town.tenant.token(person), question);
        }
        for (const question of asked.slice(20, 23)) {
          await searched.compare("stranger", town.stranger, question);
          await searched.compare("stranger", town.foreigner.token, question);
        }
        const unseen = (["ann", "ben", "cai"] as const)[choice % 3] ?? "ann";
        if (await searched.toggleUnseen(unseen, asked.slice(0, 5))) totals.unseen += searched.counts.changes;
        totals.worlds += 1;
        totals.steps += steps.length;
        totals.answers += searched.counts.answers;
        totals.hits += searched.counts.hits;
        totals.suggested += searched.counts.suggested;
      }),
      // Not shrunk, because every attempt would search a whole world for minutes.
      { numRuns: Math.ceil(worldCount / lanes), seed: seed + lane, endOnFailure: true },
    );
  };
  const begun = performance.now();
  await Promise.all(Array.from({ length: lanes }, (_, lane) => inLane(lane)));
  const seconds = Math.round((performance.now() - begun) / 1000);
  process.stdout.write(`searched: ${JSON.stringify(totals)}, ${seconds} s, SVC_SEED=${seed}\n`);
  expect(totals.worlds).toBeGreaterThanOrEqual(worldCount);
  // Answers without hits, or worlds in which everybody sees everything, would show little. In a short run tenants have
  // few worlds.
  expect(totals.hits).toBeGreaterThan(totals.answers / 5);
  expect(totals.unseen).toBeGreaterThan(totals.worlds / 2);
});

/** A tenant with its worlds so far, a person in none of them, and the administrator of another tenant. */
interface TownParts {
  tenant: WorldTenant;
  worlds: SearchedWorld[];
  stranger: string;
  foreigner: TestTenant;
}

const Town = {
  async build(backend: TestBackend): Promise<TownParts> {
    const tenant = await WorldTenant.build(backend);
    const foreigner = await backend.addTenant();
    const { token } = await foreigner.addPerson("stranger");
    await askOnce(backend, token, { query: "alder" });
    return { tenant, worlds: [], stranger: await tenant.addStranger(), foreigner };
  },
};
