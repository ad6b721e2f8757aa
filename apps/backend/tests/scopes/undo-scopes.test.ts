import { randomUUID } from "node:crypto";
import { loadCatalog } from "@svc/command-router/catalog";
import { encodeId } from "@svc/protocol/typed-id";
import { offenders } from "@svc/testing/offenders";
import pg from "pg";
import { expect } from "vitest";
import type { CommandContext } from "../../src/platform/commands/command-context.ts";
import { formatServiceToken, hashSecret, newSecret } from "../../src/platform/identity/service-token.ts";
import { featuresFolder } from "../../src/platform/process/features-folder.ts";
import { test } from "../../testing/files-test.ts";
import type { TestBackend, TestTenant } from "../../testing/test-backend.ts";

const catalog = await loadCatalog<CommandContext>(featuresFolder);
const undoable = catalog.commands
  .filter(({ undo }) => undo !== undefined)
  .map(({ path, scopes }) => [path, { path, scopes }] as const);

test("no way to undo bypasses the scopes of the undone command", async ({ town }) => {
  const { backend, tenant } = town;
  const { id, token } = await tenant.addPerson("Olga");
  await town.run(`members add ${tenant.addressOf("Olga")} --role owner`);
  const narrow = await addCredential(backend, tenant, id, ["operations:read", "operations:write"]);
  await town.person("Rin", "editor");
  await town.run("files mkdir /board");
  const before = await town.run("access show /board");
  for (const line of ["members remove Rin", "access restrict /board"]) {
    const { operation } = (await town.as(token).type(line)).body;
    const preview = await backend.type(token, `operations undo ${operation} --dry-run`);
    const ways = [
      backend.type(narrow, `operations undo ${operation}`),
      backend.type(narrow, `operations undo ${operation} --dry-run`),
      backend.type(narrow, `operations undo ${operation} --confirm true`),
      backend.type(narrow, `operations undo ${operation}`, {
        headers: { "idempotency-key": randomUUID() },
      }),
      backend.type(narrow, `operations undo ${operation}`, { headers: { "x-cli-session-ticket": "t" } }),
      byRoute(backend, narrow, { arguments: { operation } }),
      byRoute(backend, narrow, { arguments: { operation }, dryRun: true }),
      byRoute(backend, narrow, { arguments: { operation }, confirm: "true" }),
    ];
    for (const answer of await Promise.all(ways)) {
      expect(answer.body).toMatchObject({ code: "not_permitted", detail: expect.stringContaining("scope") });
    }
    // A preview serves only the credential that got it.
    const stolen = `operations undo ${operation} --confirm ${preview.body.preview?.token}`;
    expect((await backend.type(narrow, stolen)).body).toMatchObject({ code: "confirmation_required" });
    expect(await backend.run(narrow, `operations show ${operation}`)).toMatchObject({ state: "done" });
    expect((await backend.type(token, `operations undo ${operation}`)).status).toBe(200);
  }
  expect(await town.run("access show /board")).toEqual(before);
});

test("undo needs the scopes of the undone command, whichever it is", async ({ backend, tenant }) => {
  const found = await offenders(undoable, async ({ path, scopes }) => {
    const { id } = await tenant.addPerson(`Admin for ${path}`, { isAdministrator: true });
    const operation = await plantOperation(backend, tenant, { actorId: id, command: path });
    for (const missing of scopes) {
      const held = ["operations:write", ...scopes.filter((scope) => scope !== missing)];
      if (held.includes(missing)) continue;
      const narrow = await addCredential(backend, tenant, id, held);
      const { body } = await backend.type(narrow, `operations undo ${operation}`);
      expect(body.detail).toBe(`This credential lacks the scope ${missing}.`);
    }
    const whole = await addCredential(backend, tenant, id, ["operations:write", ...scopes]);
    const { body } = await backend.type(whole, `operations undo ${operation}`);
    expect(body.detail).not.toContain("scope");
  });
  expect(found).toEqual([]);
});

/** Its payload fits no command: with the scopes it fails there, so a refusal must come before it is read. */
async function plantOperation(
  { testDatabase }: TestBackend,
  { id: tenantId }: TestTenant,
  { actorId, command }: { actorId: string; command: string },
): Promise<string> {
  const admin = new pg.Client({ connectionString: testDatabase.adminUrl });
  await admin.connect();
  const { rows } = await admin.query(
    `insert into app.operation (tenant_id, actor_id, command, undo_payload, changes)
     values ($1, $2, $3, '"nonsense"', '[]') returning id`,
    [tenantId, actorId, command],
  );
  await admin.end();
  return encodeId("operation", rows[0].id);
}

async function addCredential(
  backend: TestBackend,
  { id: tenantId }: TestTenant,
  principalId: string,
  scopes: string[],
): Promise<string> {
  const secret = newSecret();
  const credentialId = await backend.provision((provisioner) =>
    provisioner.addCredential(tenantId, {
      principalId,
      name: scopes.join(" "),
      secretHash: hashSecret(secret),
      scopes,
    }),
  );
  return formatServiceToken({ credentialId, secret });
}

async function byRoute({ server }: TestBackend, token: string, payload: object) {
  const answer = await server.inject({
    method: "POST",
    url: "/api/v1/commands/operations/undo",
    headers: { authorization: `Bearer ${token}` },
    payload,
  });
  return { status: answer.statusCode, body: answer.json() };
}
