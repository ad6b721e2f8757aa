import { expect } from "vitest";
import { test } from "../../../../testing/backend-test.ts";

test("says who is calling, based only on the credential", async ({ backend, tenant }) => {
  const { token } = await tenant.addPerson("Rin");
  expect(await backend.run(token, "whoami")).toMatchObject({
    kind: "human",
    name: "Rin",
    isAdministrator: false,
    tenantName: expect.stringMatching(/^Tenant \d+$/),
    scopes: ["*"],
  });
});

test("ignores a tenant that the caller claims in a header", async ({ backend, tenant }) => {
  const other = await backend.addTenant("Other");
  const { body } = await backend.type(tenant.token, "whoami", { headers: { "x-tenant-id": other.id } });
  expect(body.data).toMatchObject({ tenantName: expect.stringMatching(/^Tenant \d+$/) });
});

test("shows a person what they call their login, in text only", async ({ backend, tenant }) => {
  const { token } = await tenant.addPerson("Mei");
  const ask = async (want: "text" | "data", profile?: string) => {
    const { body } = await backend.type(token, "whoami", { request: { want, terminal: { profile } } });
    return body;
  };
  expect((await ask("text", "work")).text).toMatch(/^Profile {5}work$/m);
  expect((await ask("text")).text).not.toContain("Profile");
  expect(await ask("data", "work")).toEqual(await ask("data"));
});

test.for(["Work", "a b", "-", "w\u001b[2J", "x".repeat(65), ""])(
  "refuses a profile that no client would send: %o",
  async (profile, { backend, tenant }) => {
    const { status } = await backend.type(tenant.token, "whoami", { request: { terminal: { profile } } });
    expect(status).toBe(400);
  },
);

test("needs no scope, so that every token can be inspected", async ({ backend, tenant }) => {
  const { token } = await tenant.addPerson("Narrow", { scopes: ["audit:read"] });
  const { body } = await backend.type(token, "whoami", { request: { want: "text" } });
  expect(body.text).toContain("Scopes      audit:read");
});
