import { expect } from "vitest";
import { test } from "../../../../testing/backend-test.ts";
import { release, reserve, settle } from "../holds.ts";

const defaultLimitMicros = 0n;

test("shows limit, spending and holds, by purpose and model", async ({ backend }) => {
  const tenant = await backend.addTenant();
  await backend.run(tenant.token, "budget set --limit 1");
  const now = new Date();
  await backend.database.withTenant(
    { tenantId: tenant.id, actorId: tenant.id },
    "write",
    async (transaction) => {
      const hold = async (purpose: "document" | "query", micros: bigint) => {
        const { hold } = await reserve(transaction, { purpose, micros, now, defaultLimitMicros });
        if (!hold) throw new Error("refused");
        return hold;
      };
      const big = { micros: 790_000n, tokens: 9_000, model: "small-3", calls: 2, now };
      const late = await hold("query", 20_000n);
      expect(await settle(transaction, await hold("document", 800_000n), big)).toMatchObject({
        crossed: undefined,
      });
      const query = { micros: 10_001n, tokens: 7, model: "small-3", calls: 1, now };
      expect(await settle(transaction, late, query)).toMatchObject({ crossed: 80 });
      await release(transaction, await hold("query", 50_000n), now);
      await hold("document", 50_000n);
    },
  );
  const shown = await backend.run(tenant.token, "budget show");
  const renewsAt = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1)).toISOString();
  expect(shown).toEqual({
    month: now.toISOString().slice(0, 7),
    currency: "USD",
    limit: "1.00",
    isLimitSet: true,
    spent: "0.800001",
    held: "0.05",
    left: "0.149999",
    uses: [
      { purpose: "document", model: "small-3", calls: 2, tokens: 9_000, spent: "0.79" },
      { purpose: "query", model: "small-3", calls: 1, tokens: 7, spent: "0.010001" },
    ],
    alerts: [{ percent: 80, at: now.toISOString() }],
    renewsAt,
  });
  const { body } = await backend.type(tenant.token, "budget show", { request: { want: "text" } });
  expect(body.text?.split("\n")).toEqual([
    `AI models in ${shown.month}, in USD:`,
    "  limit      1.00",
    "  spent  0.800001",
    "  held       0.05",
    "  left   0.149999",
    "Documents by small-3: 0.79, 2 calls, 9000 tokens",
    "Queries by small-3: 0.010001, 1 call, 7 tokens",
    `80 % was reached at ${now.toISOString()}`,
    `The budget renews at ${renewsAt}`,
  ]);
});

test("says that nobody set a limit, and only to administrators", async ({ backend }) => {
  const tenant = await backend.addTenant();
  const { body } = await backend.type(tenant.token, "budget show", { request: { want: "text" } });
  expect(body.text).toContain("limit  0.00  (not set; set it with `svc budget set --limit 25`)");
  const { token } = await tenant.addPerson("Ed");
  expect((await backend.type(token, "budget show")).body.code).toBe("not_permitted");
});
