import { encodeId } from "@svc/protocol/typed-id";
import { faultSize } from "@svc/testing/fault-size";
import { describe, expect } from "vitest";
import { test } from "../../../testing/backend-test.ts";
import type { TestBackend } from "../../../testing/test-backend.ts";

const rounds = faultSize(50, 5);

async function names(backend: TestBackend, token: string): Promise<string[]> {
  const { items } = await backend.run<{ items: { name: string }[] }>(token, "administrators list");
  return items.map(({ name }) => name).sort();
}

describe("administrators can be removed", () => {
  test("and lose the right at once, even if the process has just used their credential", async ({
    backend,
    tenant,
  }) => {
    const former = await tenant.addPerson("Former", { isAdministrator: true });
    expect((await backend.type(former.token, "tokens list")).status).toBe(200);
    await backend.run(tenant.token, "administrators remove Former");
    for (const line of [
      "administrators add Former",
      "administrators list",
      "groups create Own",
      "members disable root",
    ]) {
      const { body } = await backend.type(former.token, line);
      expect([line, body.code]).toEqual([line, "not_permitted"]);
    }
    expect(await backend.run(former.token, "whoami")).toMatchObject({ isAdministrator: false });
  });

  test("but never the last one, not even with undo", async ({ backend }) => {
    const tenant = await backend.addTenant();
    const last = { code: "conflict", detail: "root is the last administrator of the tenant." };
    expect((await backend.type(tenant.token, "administrators remove root")).body).toMatchObject(last);
    await tenant.addPerson("Rin");
    await backend.run(tenant.token, "administrators add Rin");
    const { body: removed } = await backend.type(tenant.token, "administrators remove Rin");
    const { body: undone } = await backend.type(tenant.token, `operations undo ${removed.operation}`);
    await backend.run(tenant.token, "members disable Rin");
    expect((await backend.type(tenant.token, "administrators remove root")).body).toMatchObject(last);
    expect(undone.operation).toBeDefined();
    expect(await names(backend, tenant.token)).toEqual(["Rin", "root"]);
  });

  for (const [first, second] of [
    ["administrators remove", "administrators remove"],
    ["members disable", "members disable"],
    ["members disable", "administrators remove"],
  ] as const) {
    test(`two people who run ${first} and ${second} against each other leave one`, async ({ backend }) => {
      for (let round = 0; round < rounds; round += 1) {
        const tenant = await backend.addTenant();
        const rin = await tenant.addPerson("Rin", { isAdministrator: true });
        const answers = await Promise.all([
          backend.type(tenant.token, `${first} ${encodeId("user", rin.id)}`),
          backend.type(rin.token, `${second} root`),
        ]);
        expect(answers.map(({ status }) => status).sort()).toEqual([200, 403]);
        const winner = answers[0].status === 200 ? tenant.token : rin.token;
        expect((await backend.type(winner, "administrators list")).status).toBe(200);
      }
    });
  }

  test("an AI member never becomes an administrator", async ({ backend, tenant }) => {
    await tenant.addPerson("Helper", { kind: "ai" });
    expect((await backend.type(tenant.token, "administrators add Helper")).body).toMatchObject({
      code: "conflict",
      detail: "An AI member cannot be an administrator.",
    });
  });

  test("a token with the members scope cannot create administrators", async ({ backend, tenant }) => {
    await tenant.addPerson("Accomplice");
    const narrow = await tenant.addToken(tenant.administratorId, { name: "hr", scopes: ["members:write"] });
    expect((await backend.type(narrow, "administrators add Accomplice")).body.code).toBe("not_permitted");
  });

  test("nobody can disable their own account, not even with undo", async ({ backend }) => {
    const tenant = await backend.addTenant();
    const rin = await tenant.addPerson("Rin", { isAdministrator: true });
    expect((await backend.type(rin.token, "members disable Rin")).body).toMatchObject({
      code: "conflict",
      detail: "You cannot disable your own account.",
    });
    await backend.run(tenant.token, "members disable Rin");
    const { body } = await backend.type(tenant.token, "members enable Rin");
    expect((await backend.type(rin.token, `operations undo ${body.operation}`)).body.code).toBe("conflict");
    expect((await backend.type(rin.token, "whoami")).status).toBe(200);
  });

  test("and a deleted group is not an account that can be enabled", async ({ backend, tenant }) => {
    await backend.run(tenant.token, "groups create Gone");
    await backend.run(tenant.token, "groups delete Gone");
    for (const line of ["members enable Gone", "members disable Gone", "administrators add Gone"]) {
      expect([line, (await backend.type(tenant.token, line)).body.code]).toEqual([line, "not_found"]);
    }
  });
});
