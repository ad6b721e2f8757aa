import { CallerContext } from "@svc/protocol/caller";
import { encodeId } from "@svc/protocol/typed-id";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startFixtureBackend } from "../../../testing/fixture-backend.ts";
import type { TestBackend, TestTenant } from "../../../testing/test-backend.ts";
import { formatServiceToken, hashSecret, newSecret } from "../../platform/identity/service-token.ts";

let backend: TestBackend;
let tenant: TestTenant;

beforeAll(async () => {
  backend = await startFixtureBackend();
  tenant = await backend.addTenant("Kumo Trading");
});
afterAll(() => backend.close());

async function contextOf(token: string): Promise<CallerContext> {
  const answer = await backend.server.inject({
    method: "GET",
    url: "/api/v1/context",
    headers: { authorization: `Bearer ${token}` },
  });
  expect(answer.statusCode).toBe(200);
  return CallerContext.strict().parse(answer.json());
}

test("says who is calling, for whom and with what, and which server answers", async () => {
  const { id, token } = await tenant.addPerson("Rin");
  expect(await contextOf(token)).toEqual({
    actor: { id: encodeId("user", id), kind: "human", name: "Rin", email: expect.stringMatching(/^rin@/) },
    tenant: { id: encodeId("tenant", tenant.id), name: "Kumo Trading" },
    credential: { kind: "service_account_token" },
    workspaces: [],
    server: {
      version: expect.stringMatching(/^\d/),
      time: expect.any(String),
      minimumClient: expect.stringMatching(/^\d/),
    },
  });
});

test("shows people their own workspaces, administrators all, and nobody those of another tenant", async () => {
  const { id, token } = await tenant.addPerson("Mina");
  const other = await backend.addTenant();
  await backend.provision(async (provisioner) => {
    const own = await provisioner.addWorkspace(tenant.id, { name: "Marketing", slug: "marketing" });
    await provisioner.addMember(tenant.id, own, id, "editor");
    await provisioner.addWorkspace(tenant.id, { name: "Engineering", slug: "engineering" });
    await provisioner.addWorkspace(other.id, { name: "Elsewhere", slug: "elsewhere" });
  });
  expect((await contextOf(token)).workspaces).toMatchObject([{ slug: "marketing", role: "editor" }]);
  const all = (await contextOf(tenant.token)).workspaces;
  expect(all.map(({ slug, role }) => `${slug} ${role}`)).toEqual([
    "engineering administrator",
    "marketing administrator",
  ]);
});

test("shows when the credential expires and its default workspace", async () => {
  const secret = newSecret();
  const expiresAt = new Date(Date.now() + 60_000);
  const { credentialId, workspaceId } = await backend.provision(async (provisioner) => {
    const workspaceId = await provisioner.addWorkspace(tenant.id, { name: "Home", slug: "home" });
    const principalId = await provisioner.addPrincipal(tenant.id, { kind: "ai", name: "bot" });
    const credentialId = await provisioner.addCredential(tenant.id, {
      principalId,
      name: "bot",
      secretHash: hashSecret(secret),
      defaultWorkspaceId: workspaceId,
      expiresAt,
    });
    return { credentialId, workspaceId };
  });
  expect(await contextOf(formatServiceToken({ credentialId, secret }))).toMatchObject({
    actor: { kind: "ai" },
    credential: { expiresAt: expiresAt.toISOString() },
    defaultWorkspaceId: encodeId("workspace", workspaceId),
  });
});
