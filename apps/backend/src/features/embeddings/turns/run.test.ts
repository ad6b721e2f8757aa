import { expect } from "vitest";
import { test } from "../../../../testing/backend-test.ts";
import { WordEmbedder } from "../../../../testing/embedders/word-embedder.ts";
import type { TestBackend, TestTenant } from "../../../../testing/test-backend.ts";
import { asAdmin, runTurns } from "../../../../testing/worker-test.ts";
import { Embedders } from "../../../platform/search/embedders.ts";
import turns from "./run.ts";

/** More than one group of files, so that two lanes have work. */
const files = 40;

async function addTenantWithFiles(backend: TestBackend): Promise<TestTenant> {
  const tenant = await backend.addTenant();
  await backend.run(tenant.token, "workspaces create Reports");
  await backend.run(tenant.token, "workspaces update reports --semantic-search on");
  for (let index = 0; index < files; index += 1) {
    await backend.send(tenant.token, `files put local /${index}.txt --workspace reports`, `File ${index}.`);
  }
  return tenant;
}

/** A model that answers the first calls only when so many are waiting for it, or when no more come. */
function meetingModel(expected: number, pricePerMillionTokens = "0") {
  const calls = { now: 0, most: 0 };
  const { promise: haveMet, resolve: meet } = Promise.withResolvers<void>();
  const { promise: isCalled, resolve: noteCall } = Promise.withResolvers<void>();
  const model = new WordEmbedder({
    pricePerMillionTokens,
    onCall: async () => {
      noteCall();
      calls.now += 1;
      calls.most = Math.max(calls.most, calls.now);
      if (calls.now === expected) meet();
      const patience = setTimeout(meet, 60_000);
      await haveMet;
      clearTimeout(patience);
      calls.now -= 1;
    },
  });
  return { model, calls, isCalled };
}

test("one worker embeds a tenant in two lanes, and ends when nothing is left", async ({ backend }) => {
  const { token } = await addTenantWithFiles(backend);
  const { operation } = await backend.run<{ operation: string }>(token, "embeddings run");
  const { model, calls } = meetingModel(2);
  await runTurns(backend, turns, { embedders: new Embedders([model.priced]) });
  expect(calls.most).toBe(2);
  expect(model.asked).toHaveLength(files);
  const { state } = await backend.run<{ state: string }>(token, `operations show ${operation}`);
  expect(state).toBe("done");
});

test("lanes grow with workers, and no text is embedded or paid for twice", async ({ backend }) => {
  const tenant = await addTenantWithFiles(backend);
  await backend.run(tenant.token, "budget set --limit 1");
  await backend.run(tenant.token, "embeddings run");
  const { model, calls, isCalled } = meetingModel(2, "1");
  const oneLane = { ...turns, lanes: 1 };
  const worker = () => runTurns(backend, oneLane, { embedders: new Embedders([model.priced]) });
  const first = worker();
  // One that looks while another claims finds the tenant locked, and would have nothing to do.
  await isCalled;
  await Promise.all([first, worker(), worker()]);
  expect(calls.most).toBe(2);
  expect(model.asked.toSorted()).toEqual([...new Set(model.asked)].toSorted());
  expect(model.asked).toHaveLength(files);
  const tokens = model.asked.reduce((sum, text) => sum + model.countTokens(text), 0);
  expect(await spentBy(backend, tenant)).toEqual({ spent: tokens, ledger: tokens, held: 0 });
});

async function spentBy(backend: TestBackend, { id }: TestTenant) {
  const { rows } = await asAdmin({ backend }, (admin) =>
    admin.query(
      `select spent_micros::int as spent, reserved_micros::int as held,
         (select sum(micros)::int from app.ai_spend where tenant_id = $1) as ledger
       from app.ai_budget where tenant_id = $1`,
      [id],
    ),
  );
  return rows[0];
}
