import { loadCatalog } from "@svc/command-router/catalog";
import { CallerContext } from "@svc/protocol/caller";
import { encodeId } from "@svc/protocol/typed-id";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { test as realTest } from "../../../testing/backend-test.ts";
import { credentialHeaders, TestBackend, type TestTenant } from "../../../testing/test-backend.ts";
import type { CommandContext } from "../../platform/commands/command-context.ts";
import { formatServiceToken, hashSecret, newSecret } from "../../platform/identity/service-token.ts";
import { featuresFolder } from "../../platform/process/features-folder.ts";

let backend: TestBackend;
let tenant: TestTenant;

beforeAll(async () => {
  backend = await TestBackend.start();
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

describe("shows workspaces to those who may list them by a command, and to nobody else", async () => {
  const { scopes } = await loadCatalog<CommandContext>(featuresFolder);

  async function agreement(backend: TestBackend, credential: string): Promise<boolean> {
    const { status } = await backend.type(credential, "workspaces list");
    const answer = await backend.server.inject({
      url: "/api/v1/context",
      headers: credentialHeaders(credential),
    });
    const { workspaces } = answer.json<CallerContext>();
    expect([status, workspaces.length > 0]).toEqual(status === 200 ? [200, true] : [403, false]);
    return status === 200;
  }

  realTest("with a token of each scope", async ({ backend, tenant }) => {
    await backend.run(tenant.token, "workspaces create Secret");
    const seeing = [];
    for (const [index, scope] of [...scopes, "*"].entries()) {
      const scoped = { isAdministrator: true, scopes: [scope] };
      const { token } = await tenant.addPerson(`Narrow ${index}`, scoped);
      if (await agreement(backend, token)) seeing.push(scope);
    }
    expect(seeing).toEqual(["workspaces:read", "*"]);
  });

  realTest("in a session for some commands", async ({ backend, tenant }) => {
    await tenant.addPerson("robot", { kind: "ai" });
    const { token } = await tenant.addPerson("Ann");
    await backend.run(tenant.token, "workspaces create Office");
    await backend.run(tenant.token, "members add robot --role editor --workspace office");
    await backend.run(tenant.token, "members add Ann --role viewer --workspace office");
    const seeing = [];
    for (const allow of ["", "search", "workspaces", "workspaces get", "workspaces list", "whoami"]) {
      const line = ["sessions", "open", "robot", ...(allow === "" ? [] : ["--allow", allow])];
      const session = await backend.run<{ token: string; ticket: string }>(token, line);
      if (await agreement(backend, `${session.token} ${session.ticket}`)) seeing.push(allow);
    }
    expect(seeing).toEqual(["", "workspaces", "workspaces list"]);
  });
});
