import { TestIdentityProvider } from "@svc/testing/identity-provider";
import { decodeJwt, SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { AgentClient } from "../../../testing/agents/agent-client.ts";
import { TestBackend, type TestTenant } from "../../../testing/test-backend.ts";

const agentAudience = "https://svc.example/mcp";
const scope = "files:read files:write";
const claims = { org: "kumo" };
let provider: TestIdentityProvider;
let other: TestIdentityProvider;
let backend: TestBackend;
let tenant: TestTenant;

beforeAll(async () => {
  // It warns that it is for development only.
  vi.spyOn(console, "warn").mockImplementation(() => {});
  [provider, other] = [await TestIdentityProvider.start(), await TestIdentityProvider.start()];
  const { issuer, audience } = provider;
  const clients = ["svc-cli"];
  backend = await TestBackend.start({
    identityProvider: { issuer, audience, agentAudience, clients, defaultScopes: ["*"] },
  });
  tenant = await backend.addTenant("Kumo");
  await backend.provision((provisioner) =>
    provisioner.addAdmission(tenant.id, { issuer, claim: "org", value: "kumo" }),
  );
});
afterAll(async () => {
  vi.restoreAllMocks();
  await backend.close();
  await provider.close();
  await other.close();
});

/** Of somebody who has used the service before. */
const personsToken = async (subject: string) => {
  const { accessToken } = await provider.issue(subject, { claims });
  await backend.run(accessToken, "whoami");
  return accessToken;
};
const agentToken = async (subject: string, options: Parameters<TestIdentityProvider["issue"]>[1] = {}) =>
  (await provider.issue(subject, { audience: agentAudience, claims, scope, ...options })).accessToken;
const tokenFor: typeof agentToken = async (subject, options) => {
  await personsToken(subject);
  return agentToken(subject, options);
};
const whoami = (token: string) => new AgentClient(backend, token).post("tools/call", { name: "whoami" });

/** With other claims, signed with the provider's own key. */
async function signed(token: string, changed: object): Promise<string> {
  const { signingKey } = provider;
  return new SignJWT({ ...decodeJwt(token), ...changed })
    .setProtectedHeader({ alg: "ES256", typ: "at+jwt", kid: signingKey.kid })
    .sign(signingKey as never);
}

test("a token for this address acts as an AI member for its person", async () => {
  const agent = new AgentClient(backend, await tokenFor("mei"));
  const { structuredContent: me } = await agent.call("whoami");
  expect(me).toMatchObject({
    id: expect.stringMatching(/^user_/),
    kind: "ai",
    credentialKind: "agent_access_token",
    isAdministrator: false,
    scopes: ["files:read", "files:write"],
  });
  expect(me.onBehalfOf).toBe(me.name);
});

test("any client may have one, but each keeps to its own previews", async () => {
  const person = await personsToken("rin");
  await backend.run(person, "workspaces create Rin");
  const [one, two] = [
    new AgentClient(backend, await tokenFor("rin")),
    new AgentClient(backend, await tokenFor("rin", { clientId: "other-app" })),
  ];
  const given = { folder: "/a", workspace: "rin" };
  const { preview } = (await one.call("files_mkdir", given)).structuredContent;
  const confirmed = { ...given, confirm: preview?.token };
  expect((await two.call("files_mkdir", confirmed)).structuredContent.code).toBe("confirmation_required");
  // Nor does the person's own credential take it.
  expect(
    (await backend.type(person, `files mkdir /a --workspace rin --confirm ${preview?.token}`)).status,
  ).not.toBe(200);
  const renewed = new AgentClient(backend, await tokenFor("rin"));
  expect((await renewed.call("files_mkdir", confirmed)).structuredContent.operation).toBeDefined();
});

test("what waits for a person can be approved by the person themselves, at the terminal", async () => {
  const person = await personsToken("yui");
  await backend.run(person, "workspaces create Yui");
  await backend.run(person, "files mkdir /old --workspace yui");
  await backend.run(person, "files delete /old --workspace yui");
  const agent = new AgentClient(backend, await tokenFor("yui"));
  const given = { command: "trash purge", workspace: "yui" };
  const { preview } = (await agent.call("commands_run", given)).structuredContent;
  const confirmed = { ...given, confirm: preview?.token };
  expect((await agent.call("commands_run", confirmed)).structuredContent.code).toBe("approval_pending");
  expect(await backend.run(person, "whoami")).toMatchObject({ pendingApprovals: 1 });
  const { items } = await backend.run<{ items: { id: string }[] }>(person, "approvals list");
  expect(items).toMatchObject([{ askedBy: "an agent", onBehalfOf: expect.any(String) }]);
  await backend.run(person, `approvals approve ${items[0]?.id}`);
  expect((await agent.call("commands_run", confirmed)).isError).toBeUndefined();
});

test("nobody joins by an agent, also not with a token that is refused for its scopes", async () => {
  expect((await whoami(await agentToken("new"))).statusCode).toBe(401);
  expect((await whoami(await agentToken("new", { scope: "mail:send" }))).statusCode).toBe(401);
});

describe("a token is refused", () => {
  const now = Math.floor(Date.now() / 1_000);
  test.each<[string, () => Promise<string>, number]>([
    ["for another audience", () => tokenFor("ann", { audience: "https://other.example/mcp" }), 401],
    ["for the API", () => personsToken("ann"), 401],
    [
      "for this and another audience",
      async () => signed(await tokenFor("ann"), { aud: [agentAudience, "https://x"] }),
      401,
    ],
    [
      "of another issuer",
      async () => (await other.issue("ann", { audience: agentAudience, scope })).accessToken,
      401,
    ],
    ["without one of our scopes", () => tokenFor("ann", { scope: "mail:send" }), 403],
    ["that has expired", async () => signed(await tokenFor("ann"), { exp: now - 60 }), 401],
    ["that is none", async () => "none", 401],
  ])("%s", async (_what, token, status) => {
    const answer = await whoami(await token());
    expect(answer.statusCode).toBe(status);
    expect(answer.headers["www-authenticate"]).toContain(
      'resource_metadata="https://svc.example/.well-known/oauth-protected-resource/mcp", scope="',
    );
  });

  test("by the API, if it is for agents, also for both", async () => {
    const token = await tokenFor("bo");
    const both = await signed(token, { aud: [agentAudience, provider.audience] });
    expect((await backend.type(token, "whoami")).status).toBe(401);
    expect((await backend.type(both, "whoami")).status).toBe(401);
  });
});

test.each(["/.well-known/oauth-protected-resource/mcp", "/.well-known/oauth-protected-resource"])(
  "%s says where to get one",
  async (url) => {
    const answer = await backend.server.inject({ url });
    expect(answer.json()).toMatchObject({
      resource: agentAudience,
      authorization_servers: [provider.issuer],
      bearer_methods_supported: ["header"],
      scopes_supported: expect.arrayContaining(["files:read", "search:read"]),
    });
  },
);
