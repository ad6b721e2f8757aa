import { TestIdentityProvider } from "@svc/testing/identity-provider";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { TestBackend, type TestTenant } from "../../../testing/test-backend.ts";

const lines: string[] = [];
let provider: TestIdentityProvider;
let backend: TestBackend;
let tenant: TestTenant;

beforeAll(async () => {
  // It warns that it is for development only.
  vi.spyOn(console, "warn").mockImplementation(() => {});
  provider = await TestIdentityProvider.start();
  backend = await startBackend(["search:read"]);
  tenant = await backend.addTenant("Kumo");
  await backend.provision(async (provisioner) => {
    const { issuer } = provider;
    await provisioner.addAdmission(tenant.id, { issuer, claim: "org", value: "kumo" });
  });
  await backend.type(await tokenFor("mina"), "whoami");
  await backend.run(tenant.token, "administrators add mina");
});
afterAll(async () => {
  await backend.close();
  await provider.close();
});

function startBackend(defaultScopes: string[], options: Parameters<typeof TestBackend.start>[0] = {}) {
  const { issuer, audience } = provider;
  return TestBackend.start({
    identityProvider: { issuer, audience, clients: ["svc-cli"], defaultScopes },
    logTo: { write: (line) => lines.push(line) },
    ...options,
  });
}

async function tokenFor(subject: string, options: Parameters<TestIdentityProvider["issue"]>[1] = {}) {
  const { accessToken } = await provider.issue(subject, { claims: { org: "kumo" }, ...options });
  return accessToken;
}

describe("an access token of the identity provider", () => {
  test("is limited to its scopes, on every way to a command", async () => {
    const token = await tokenFor("mina", { scope: "files:read mail:send" });
    const lacks = { code: "not_permitted", detail: expect.stringContaining("lacks the scope") };
    expect((await backend.type(token, "whoami")).status).toBe(200);
    expect((await backend.type(token, "tokens create robot")).body).toMatchObject(lacks);
    expect((await backend.type(token, "workspaces create Own --dry-run")).body).toMatchObject(lacks);
    expect((await backend.type(token, "search query plan")).body).toMatchObject(lacks);
    const route = await backend.server.inject({
      method: "POST",
      url: "/api/v1/commands/tokens/create",
      headers: { authorization: `Bearer ${token}` },
      payload: { arguments: { name: "robot" } },
    });
    expect(route.json()).toMatchObject(lacks);
  });

  test("cannot create a token that can do more", async () => {
    const token = await tokenFor("mina", { scope: "tokens:write" });
    expect((await backend.type(token, "tokens create robot")).body).toMatchObject({
      code: "not_permitted",
      detail: "Your own credential lacks *.",
    });
    expect((await backend.type(token, "tokens create robot --scope tokens:write")).status).toBe(200);
  });

  test("without any of our scopes gets the configured ones, for this request only", async () => {
    const login = await tokenFor("mina");
    const foreign = await tokenFor("mina", { scope: "mail:send" });
    const narrow = await tokenFor("mina", { scope: "files:read" });
    const may = async (token: string, line: string) => (await backend.type(token, line)).status === 200;
    for (const token of [login, foreign]) {
      expect(await may(token, "search status")).toBe(true);
      expect(await may(token, "tokens list")).toBe(false);
    }
    // The person behind a token is cached; its scopes are not.
    expect(await may(narrow, "search status")).toBe(false);
    expect(await may(login, "search status")).toBe(true);

    const open = await startBackend(["*"], { testDatabase: backend.testDatabase });
    expect((await open.type(login, "tokens list")).status).toBe(200);
    expect((await open.type(narrow, "tokens list")).status).toBe(403);
    await open.close();
  });

  test("is refused if its client is not listed, and adds nobody", async () => {
    const token = await tokenFor("stranger", { clientId: "other-app" });
    const refused = await backend.type(token, "whoami");
    const { requestId: _, ...nonsense } = (await backend.type("nonsense", "whoami")).body;
    expect([refused.status, refused.body]).toMatchObject([401, nonsense]);
    expect(lines.join("")).toContain('"client":"other-app"');
    expect(lines.join("")).not.toContain(token);
    expect((await backend.type(tenant.token, "administrators add stranger")).body.code).toBe("not_found");
    const { issuer, audience } = provider;
    const open = await TestBackend.start({
      identityProvider: { issuer, audience, clients: "any", defaultScopes: ["*"] },
      testDatabase: backend.testDatabase,
    });
    expect((await open.type(token, "whoami")).status).toBe(200);
    await open.close();
  });
});
