import { TestIdentityProvider } from "@svc/testing/identity-provider";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { TestBackend, type TestTenant } from "../../../testing/test-backend.ts";

let provider: TestIdentityProvider;
let backend: TestBackend;
let tenant: TestTenant;

beforeAll(async () => {
  // The provider warns that it is for development only.
  vi.spyOn(console, "warn").mockImplementation(() => {});
  provider = await TestIdentityProvider.start();
  const { issuer, audience } = provider;
  backend = await TestBackend.start({
    identityProvider: { issuer, audience, clients: ["svc-cli"], defaultScopes: ["*"] },
  });
  tenant = await backend.addTenant();
  await backend.provision((provisioner) =>
    provisioner.addAdmission(tenant.id, { issuer, claim: "org", value: "kumo" }),
  );
  await backend.run(tenant.token, "workspaces create Board");
});
afterAll(async () => {
  await backend.close();
  await provider.close();
});

const signIn = async (subject: string, claims: Record<string, unknown>) =>
  (await provider.issue(subject, { claims })).accessToken;
const nameOf = async (token: string) => (await backend.run<{ name: string }>(token, "whoami")).name;

test("a name claim that reads like an address captures no grant to that address", async () => {
  const mallory = await signIn("mallory", { org: "kumo", name: "ceo@kumo.example" });
  expect(await nameOf(mallory)).toBe("mallory");
  for (const line of [
    "members add ceo@kumo.example --role editor --workspace board",
    "access grant / ceo@kumo.example --role editor --workspace board",
  ]) {
    expect((await backend.type(tenant.token, line)).body.code).toBe("not_found");
  }
  expect(await backend.run(mallory, "workspaces list")).toMatchObject({ items: [] });
});

test("the grant goes to the address, whatever others are called", async () => {
  // As an older database or an operator may have stored it.
  const old = await tenant.addPerson("cfo@tenant-1.example", { kind: "service" });
  const real = await tenant.addPerson("cfo");
  await backend.run(tenant.token, "members add cfo@tenant-1.example --role editor --workspace board");
  expect(await backend.run(real.token, "workspaces get board")).toMatchObject({ role: "editor" });
  expect((await backend.type(old.token, "workspaces get board")).status).toBe(404);
});

test.for([
  ["a fullwidth @", { org: "kumo", name: "ceo＠kumo.example" }, "s1", "s1"],
  ["a small @", { org: "kumo", name: "ceo﹫kumo.example" }, "s2", "s2"],
  ["a subject with @", { org: "kumo", name: "a@b" }, "s3@kumo.example", "s3 at kumo.example"],
  ["an ordinary name", { org: "kumo", name: "Rin Sato" }, "s4", "Rin Sato"],
] as const)("%s becomes a name without an address in it", async ([, claims, subject, shown]) => {
  expect(await nameOf(await signIn(subject, claims))).toBe(shown);
});

test("no command gives an account or a group such a name", async () => {
  for (const argv of [
    ["tokens", "create", "ceo@kumo.example"],
    ["tokens", "create", "ceo＠kumo.example"],
    ["groups", "create", "board@kumo.example"],
  ]) {
    const { body } = await backend.type(tenant.token, argv);
    expect([argv, body.code]).toEqual([argv, "invalid_arguments"]);
  }
});

test("access show and members list distinguish people of one name by their addresses", async () => {
  await tenant.addPerson("Twin");
  await backend.run(tenant.token, "access grant / twin@tenant-1.example --workspace board");
  const shown = { email: "twin@tenant-1.example" };
  for (const line of ["access show / --workspace board", "members list --workspace board"]) {
    const { items } = await backend.run<{ items: unknown[] }>(tenant.token, line);
    expect(items).toContainEqual(expect.objectContaining(shown));
  }
});
