import { randomBytes, randomUUID } from "node:crypto";
import type { Database } from "@svc/database/database";
import { formatServiceToken, hashSecret, newSecret } from "../src/platform/service-token.ts";

/** A tenant with a canary: a random word that stands in all of its names, and that nobody else ever sends. */
export interface CanaryTenant {
  id: string;
  canary: string;
  tokens: { administrator: string; member: string; outsider: string };
  /** What others can guess or have seen: names and ids of things that only this tenant has. */
  vault: { id: string; slug: string };
  guest: { id: string; email: string };
  spareCredential: string;
  /** What its calls made. */
  workspaces: string[];
  operations: string[];
  credentials: string[];
  previews: string[];
}

/** Ids that every tenant has, so that a lookup by id alone finds somebody else's row. */
export const twins = {
  root: randomUUID(),
  member: randomUUID(),
  person: randomUUID(),
  /** In the common workspace of bystanders only. */
  outsider: randomUUID(),
  common: randomUUID(),
  sandbox: randomUUID(),
  operation: randomUUID(),
  idempotencyKey: randomUUID(),
};

export async function addCanaryTenant(
  admin: Database,
  { index, isBystander }: { index: number; isBystander: boolean },
): Promise<CanaryTenant> {
  const canary = `canary${randomBytes(8).toString("hex")}`;
  const id = randomUUID();
  const vault = { id: randomUUID(), slug: `vault-${index}` };
  const guest = { id: randomUUID(), email: `guest-${index}@example.com` };
  const ofTenant = <Row extends object>(row: Row) => ({ tenant_id: id, ...row });
  const credential = (name: string, principalId: string) => {
    const secret = newSecret();
    const row = {
      id: randomUUID(),
      principal_id: principalId,
      name,
      secret_hash: hashSecret(secret),
      scopes: ["*"],
    };
    return { row: ofTenant(row), token: formatServiceToken({ credentialId: row.id, secret }) };
  };
  const spare = credential(`${canary} spare`, guest.id);
  const administrator = credential(`${canary} root`, twins.root);
  const member = credential(`${canary} member`, twins.member);
  const outsider = credential(`${canary} outsider`, twins.outsider);
  const shared = credential("shared-token", twins.person);

  await admin.withDirectory(async (db) => {
    await db
      .insertInto("control.tenant")
      .values(ofTenant({ name: `${canary} Inc`, slug: `tenant-${index}`, cell_id: "one" }))
      .execute();
    await db
      .insertInto("app.principal")
      .values([
        ofTenant({
          id: twins.root,
          kind: "service",
          name: `${canary} root`,
          is_administrator: true,
          email: null,
        }),
        ...[
          { id: twins.member, name: `${canary} member`, email: "member@example.com" },
          { id: twins.person, name: `${canary} person`, email: "shared@example.com" },
          { id: twins.outsider, name: `${canary} outsider`, email: "outsider@example.com" },
          { ...guest, name: `${canary} guest` },
        ].map((row) => ofTenant({ ...row, kind: "user", is_administrator: false })),
      ])
      .execute();
    await db
      .insertInto("app.workspace")
      .values(
        [
          { id: twins.common, name: `${canary} common`, slug: "common" },
          { id: twins.sandbox, name: `${canary} sandbox`, slug: "sandbox" },
          { ...vault, name: `${canary} vault` },
          ...(isBystander ? [{ id: randomUUID(), name: `${canary} elsewhere`, slug: "elsewhere" }] : []),
        ].map(ofTenant),
      )
      .execute();
    await db
      .insertInto("app.membership")
      .values(
        [
          { workspace_id: twins.common, principal_id: twins.member, role: "owner" },
          { workspace_id: twins.common, principal_id: twins.person, role: "viewer" },
          { workspace_id: twins.sandbox, principal_id: twins.member, role: "owner" },
          { workspace_id: vault.id, principal_id: twins.member, role: "owner" },
          ...(isBystander
            ? [{ workspace_id: twins.common, principal_id: twins.outsider, role: "editor" }]
            : []),
        ].map(ofTenant),
      )
      .execute();
    await db
      .insertInto("control.credential")
      .values([administrator, member, outsider, spare, shared].map(({ row }) => row))
      .execute();
    await db
      .insertInto("app.operation")
      .values(
        ofTenant({
          id: twins.operation,
          actor_id: twins.member,
          command: "workspaces rename",
          undo_payload: JSON.stringify({
            id: twins.sandbox,
            version: 1,
            name: `${canary} sand`,
            slug: "sand",
          }),
          changes: JSON.stringify([{ action: "update", type: "workspace", name: `${canary} sandbox` }]),
        }),
      )
      .execute();
    await db
      .insertInto("control.identity")
      .values(ofTenant({ issuer: "https://login.example", subject: canary, principal_id: guest.id }))
      .execute();
    await db
      .insertInto("control.admission")
      .values(ofTenant({ issuer: "https://login.example", claim: "company", value: canary }))
      .execute();
  });
  return {
    id,
    canary,
    tokens: { administrator: administrator.token, member: member.token, outsider: outsider.token },
    vault,
    guest,
    spareCredential: spare.row.id,
    workspaces: [],
    operations: [],
    credentials: [],
    previews: [],
  };
}
