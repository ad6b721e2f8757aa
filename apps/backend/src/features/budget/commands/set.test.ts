import { expect } from "vitest";
import { test } from "../../../../testing/backend-test.ts";

test("sets the limit for administrators only, and undo removes it again", async ({ backend, tenant }) => {
  const { body } = await backend.type(tenant.token, "budget set --limit 25.5");
  expect(body.data).toEqual({ limit: "25.50", before: "0.00", currency: "USD" });
  expect(await backend.run(tenant.token, "budget show")).toMatchObject({ limit: "25.50", isLimitSet: true });
  const again = await backend.type(tenant.token, "budget set --limit 25.50");
  expect(again.body).toMatchObject({ code: "conflict", detail: "The limit is already 25.50 USD." });
  const { token } = await tenant.addPerson("Ed");
  expect((await backend.type(token, "budget set --limit 1000")).body.code).toBe("not_permitted");
  await backend.run(tenant.token, `operations undo ${body.operation}`);
  expect(await backend.run(tenant.token, "budget show")).toMatchObject({ limit: "0.00", isLimitSet: false });
});

test("refuses to undo if somebody set it again, and undoes both in reverse", async ({ backend, tenant }) => {
  const first = (await backend.type(tenant.token, "budget set --limit 10")).body.operation;
  const second = (await backend.type(tenant.token, "budget set --limit 20")).body.operation;
  expect((await backend.type(tenant.token, `operations undo ${first}`)).body.code).toBe("conflict");
  await backend.run(tenant.token, `operations undo ${second}`);
  await backend.run(tenant.token, `operations undo ${first}`);
  expect(await backend.run(tenant.token, "budget show")).toMatchObject({ isLimitSet: false });
});

test.for(["-1", "1,50", "much", "1e3", "0.0000001", "1000000000"])(
  "refuses %s, which is not an amount",
  async (amount, { backend, tenant }) => {
    const { body } = await backend.type(tenant.token, ["budget", "set", `--limit=${amount}`]);
    expect(body).toMatchObject({ code: "invalid_arguments" });
  },
);
