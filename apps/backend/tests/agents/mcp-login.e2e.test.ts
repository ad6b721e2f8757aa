import { createHash, randomBytes } from "node:crypto";
import { createServer } from "node:net";
import { agentMessage } from "@svc/testing/agent-message";
import { TestIdentityProvider } from "@svc/testing/identity-provider";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { Browser } from "../../testing/agents/browser.ts";
import { TestBackend } from "../../testing/test-backend.ts";

/** An agent that nobody registered: its id is the address of what it says about itself. */
const clientId = "https://agent.example/client.json";
const redirectUri = "http://127.0.0.1:8765/callback";
let provider: TestIdentityProvider;
let backend: TestBackend;
let mcp: string;

beforeAll(async () => {
  // It warns that it is for development only.
  vi.spyOn(console, "warn").mockImplementation(() => {});
  provider = await TestIdentityProvider.start();
  provider.clientDocuments.set(clientId, {
    client_id: clientId,
    client_name: "An agent",
    application_type: "native",
    redirect_uris: [redirectUri],
    grant_types: ["authorization_code"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
    id_token_signed_response_alg: "ES256",
  });
  provider.addPerson("mei", { org: "kumo" });
  const port = await freePort();
  mcp = `http://127.0.0.1:${port}/mcp`;
  const { issuer, audience } = provider;
  backend = await TestBackend.start({
    identityProvider: { issuer, audience, agentAudience: mcp, clients: ["svc-cli"], defaultScopes: ["*"] },
  });
  await backend.server.listen({ host: "127.0.0.1", port });
  const tenant = await backend.addTenant("Kumo");
  await backend.provision((provisioner) =>
    provisioner.addAdmission(tenant.id, { issuer, claim: "org", value: "kumo" }),
  );
});
afterAll(async () => {
  await backend.close();
  await provider.close();
});

beforeAll(async () => {
  // Only people who have signed in themselves have agents.
  const { accessToken } = await provider.issue("mei", { claims: { org: "kumo" } });
  await backend.run(accessToken, "whoami");
});

test("an agent that knows only the address finds the provider, and a person signs in for it", async () => {
  // What it needs, from the refusal on.
  const refused = await call("");
  expect(refused.status).toBe(401);
  const challenge = refused.headers.get("www-authenticate") ?? "";
  const [, metadataUrl = ""] = /resource_metadata="([^"]+)"/.exec(challenge) ?? [];
  const [, scope = ""] = /scope="([^"]+)"/.exec(challenge) ?? [];
  const metadata = await json<{ resource: string; authorization_servers: string[] }>(fetch(metadataUrl));
  expect(metadata.resource).toBe(mcp);
  const server = await json<{
    authorization_endpoint: string;
    token_endpoint: string;
    client_id_metadata_document_supported: boolean;
  }>(fetch(`${metadata.authorization_servers[0]}/.well-known/openid-configuration`));
  expect(server.client_id_metadata_document_supported).toBe(true);

  // The person signs in and consents, in a browser.
  const verifier = randomBytes(32).toString("base64url");
  const question = new URLSearchParams({
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: "code",
    scope,
    resource: metadata.resource,
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
    state: "s1",
  });
  const browser = new Browser(redirectUri);
  await browser.open(`${server.authorization_endpoint}?${question}`);
  await browser.submit({ login: "mei", password: "any" });
  const back = await browser.submit({});
  const { code = "", state } = Object.fromEntries(back?.searchParams ?? []);
  expect(state).toBe("s1");

  const { access_token: token } = await json<{ access_token: string }>(
    fetch(server.token_endpoint, {
      method: "POST",
      body: new URLSearchParams({
        grant_type: "authorization_code",
        client_id: clientId,
        redirect_uri: redirectUri,
        code_verifier: verifier,
        resource: metadata.resource,
        code,
      }),
    }),
  );
  const { result } = await json<{ result: { structuredContent: object } }>(call(token));
  expect(result.structuredContent).toMatchObject({
    kind: "ai",
    tenantName: "Kumo",
    credentialKind: "agent_access_token",
  });
  // It is good for nothing else.
  const elsewhere = await fetch(new URL("/api/v1/context", mcp), {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(elsewhere.status).toBe(401);
});

function call(token: string): Promise<Response> {
  const { headers, payload } = agentMessage("tools/call", { name: "whoami", arguments: {} });
  const authorization = token === "" ? {} : { authorization: `Bearer ${token}` };
  return fetch(mcp, {
    method: "POST",
    headers: { ...headers, ...authorization },
    body: JSON.stringify(payload),
  });
}

async function json<T>(answering: Promise<Response>): Promise<T> {
  const answer = await answering;
  const text = await answer.text();
  expect(answer.ok, text).toBe(true);
  return JSON.parse(text) as T;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
