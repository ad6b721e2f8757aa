import { createTestDatabase, type TestDatabase } from "@svc/testing/test-database";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Database } from "./database.ts";
import { Provisioner } from "./provision.ts";

let testDatabase: TestDatabase;
let database: Database;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = new Database({ url: testDatabase.appUrl });
});
afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

const provision = <T>(work: (provisioner: Provisioner) => Promise<T>) =>
  Provisioner.with(testDatabase.adminUrl, work);

test("creates a tenant with its people, workspaces, credentials and rules, which the application then sees", async () => {
  const secretHash = Buffer.alloc(32, 7);
  const made = await provision(async (provisioner) => {
    const tenantId = await provisioner.addTenant({ name: "Kumo", slug: "kumo" });
    const rin = await provisioner.addPrincipal(tenantId, {
      kind: "user",
      name: "Rin",
      email: "Rin@kumo.example",
      isAdministrator: true,
    });
    const workspaceId = await provisioner.addWorkspace(tenantId, { name: "Home", slug: "home" });
    await provisioner.addMember(tenantId, workspaceId, rin, "owner");
    const credentialId = await provisioner.addCredential(tenantId, {
      principalId: rin,
      name: "laptop",
      secretHash,
      scopes: ["audit:read"],
      allowedNetworks: ["10.0.0.0/8", "2001:db8::/32"],
      defaultWorkspaceId: workspaceId,
    });
    await provisioner.addAdmission(tenantId, {
      issuer: "https://login.example",
      claim: "email",
      value: "kumo.example",
      workspaceId,
      role: "viewer",
    });
    return { tenantId, rin, workspaceId, credentialId };
  });

  const [member] = await database.withTenant(
    { tenantId: made.tenantId, actorId: made.rin },
    "read",
    ({ db }) =>
      db
        .selectFrom("app.acl_entry as membership")
        .innerJoin("app.principal as principal", "principal.id", "membership.principal_id")
        .innerJoin("app.workspace as workspace", "workspace.id", "membership.scope_id")
        .select(["principal.name", "principal.is_administrator", "workspace.slug", "membership.role"])
        .execute(),
  );
  expect(member).toEqual({ name: "Rin", is_administrator: true, slug: "home", role: "owner" });

  const directory = await database.withDirectory(async (db) => ({
    credential: (await sql`select * from control.find_credential(${made.credentialId})`.execute(db)).rows,
    admission: (
      await sql`select * from control.find_admission('https://login.example', '{"email": "kumo.example"}')`.execute(
        db,
      )
    ).rows,
  }));
  expect(directory.credential).toMatchObject([
    {
      tenant_id: made.tenantId,
      tenant_name: "Kumo",
      principal_id: made.rin,
      secret_hash: secretHash,
      scopes: ["audit:read"],
      allowed_networks: ["10.0.0.0/8", "2001:db8::/32"],
      default_workspace_id: made.workspaceId,
    },
  ]);
  expect(directory.admission).toEqual([
    { tenant_id: made.tenantId, workspace_id: made.workspaceId, workspace_role: "viewer" },
  ]);
});

test("finds a tenant by its slug", async () => {
  const id = await provision((provisioner) => provisioner.addTenant({ name: "Aki", slug: "aki" }));
  expect(await provision((provisioner) => provisioner.findTenant("aki"))).toBe(id);
  expect(await provision((provisioner) => provisioner.findTenant("nobody"))).toBeUndefined();
});

test("creates all of it or nothing", async () => {
  const half = provision(async (provisioner) => {
    const tenantId = await provisioner.addTenant({ name: "Half", slug: "half" });
    await provisioner.addPrincipal(tenantId, { kind: "user", name: "Mina", email: "mina@half.example" });
    await provisioner.addPrincipal(tenantId, { kind: "user", name: "Mina", email: "MINA@half.example" });
  });
  await expect(half).rejects.toMatchObject({ code: "23505", constraint: "principal_by_email" });
  expect(await provision((provisioner) => provisioner.findTenant("half"))).toBeUndefined();
});

test("marks a tenant as the demo once: a group sees its workspaces", async () => {
  const tenantId = await provision(async (provisioner) => {
    const added = await provisioner.addTenant({ name: "Demo", slug: "demo" });
    await provisioner.addWorkspace(added, { name: "Tea", slug: "tea" });
    return added;
  });
  for (const _ of [1, 2]) await provision((provisioner) => provisioner.markDemo(tenantId));
  const found = await database.withDirectory(
    async (db) => (await sql<{ tenant_id: string }>`select * from app.find_demo()`.execute(db)).rows,
  );
  expect(found.map(({ tenant_id }) => tenant_id)).toEqual([tenantId]);
  const entries = await database.withTenant({ tenantId, actorId: tenantId }, "read", ({ db }) =>
    db
      .selectFrom("app.acl_entry as entry")
      .innerJoin("app.principal as principal", "principal.id", "entry.principal_id")
      .select(["principal.name", "principal.kind", "entry.role"])
      .execute(),
  );
  expect(entries).toEqual([{ name: "Demo visitors", kind: "group", role: "viewer" }]);
});

test("is not for the application's role", async () => {
  const asApp = Provisioner.with(testDatabase.appUrl, (provisioner) =>
    provisioner.addTenant({ name: "Mine", slug: "mine" }),
  );
  await expect(asApp).rejects.toMatchObject({ code: "42501" });
});
