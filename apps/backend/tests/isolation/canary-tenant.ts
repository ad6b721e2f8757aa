import { createHash, randomBytes, randomUUID } from "node:crypto";
import type { Database } from "@svc/database/database";
import { sql } from "kysely";
import { formatServiceToken, hashSecret, newSecret } from "../../src/platform/identity/service-token.ts";

/** A tenant with a canary: a random word in all of its names that nobody else ever sends. */
export interface CanaryTenant {
  id: string;
  canary: string;
  tokens: { administrator: string; member: string; outsider: string };
  /** What others may guess or have seen: names and ids of things that only this tenant has. */
  vault: { id: string; slug: string };
  guest: { id: string; email: string };
  secretFile: string;
  secretRecord: string;
  spareCredential: string;
  session: string;
  /** What its calls created. */
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
  /** Only in the common workspace of bystanders. */
  outsider: randomUUID(),
  common: randomUUID(),
  sandbox: randomUUID(),
  folder: randomUUID(),
  file: randomUUID(),
  group: randomUUID(),
  collection: randomUUID(),
  record: randomUUID(),
  operation: randomUUID(),
  idempotencyKey: randomUUID(),
  approval: randomUUID(),
};

export async function addCanaryTenant(
  admin: Database,
  { index, isBystander }: { index: number; isBystander: boolean },
): Promise<CanaryTenant> {
  const canary = `canary${randomBytes(8).toString("hex")}`;
  const id = randomUUID();
  const vault = { id: randomUUID(), slug: `vault-${index}` };
  const guest = { id: randomUUID(), email: `guest-${index}@example.com` };
  const [secretFile, secretRecord] = [randomUUID(), randomUUID()];
  const sha256 = createHash("sha256").update(canary).digest();
  const withoutMeaning = { semanticSearchEnabled: false };
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
  const session = credential(`${canary} session`, twins.member);

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
    const workspaces = [
      { id: twins.common, name: `${canary} common`, slug: "common" },
      { id: twins.sandbox, name: `${canary} sandbox`, slug: "sandbox" },
      { ...vault, name: `${canary} vault` },
      ...(isBystander ? [{ id: randomUUID(), name: `${canary} elsewhere`, slug: "elsewhere" }] : []),
    ];
    await db.insertInto("app.workspace").values(workspaces.map(ofTenant)).execute();
    await db
      .insertInto("app.acl_scope")
      .values(
        workspaces.map(({ id: workspace }) =>
          ofTenant({ id: workspace, workspace_id: workspace, anchor_id: workspace }),
        ),
      )
      .execute();
    await db
      .insertInto("app.acl_entry")
      .values(
        [
          { scope_id: twins.common, principal_id: twins.member, role: "owner" },
          { scope_id: twins.common, principal_id: twins.person, role: "viewer" },
          { scope_id: twins.sandbox, principal_id: twins.member, role: "owner" },
          { scope_id: vault.id, principal_id: twins.member, role: "owner" },
          ...(isBystander ? [{ scope_id: twins.common, principal_id: twins.outsider, role: "editor" }] : []),
        ].map(ofTenant),
      )
      .execute();
    const made = { created_by: twins.member, updated_by: twins.member };
    await db
      .insertInto("app.principal")
      .values(ofTenant({ id: twins.group, kind: "group", name: `${canary} group` }))
      .execute();
    await db
      .insertInto("app.group_member")
      .values(ofTenant({ group_id: twins.group, principal_id: twins.person }))
      .execute();
    const inCommon = { workspace_id: twins.common, acl_scope_id: twins.common, ...made };
    await db
      .insertInto("app.node")
      .values(
        ofTenant({
          id: twins.folder,
          parent_id: twins.common,
          kind: "folder",
          name: `${canary} box`,
          ...inCommon,
        }),
      )
      .execute();
    const content = { size: canary.length, media_type: "text/plain", sha256 };
    const files = [twins.file, secretFile];
    await db
      .insertInto("app.node")
      .values(
        files.map((file) =>
          ofTenant({
            id: file,
            parent_id: twins.folder,
            kind: "file",
            name: `${canary} ${file === twins.file ? "twin" : "secret"}.txt`,
            content_version: 1,
            ...content,
            ...inCommon,
          }),
        ),
      )
      .execute();
    await db
      .insertInto("app.blob")
      .values(ofTenant({ sha256, size: canary.length, storage_key: randomUUID(), reference_count: 2 }))
      .execute();
    await db
      .insertInto("app.node_version")
      .values(
        files.map((file) =>
          ofTenant({ node_id: file, content_version: 1, created_by: twins.member, ...content }),
        ),
      )
      .execute();
    await db
      .insertInto("app.node_text")
      .values(
        files.map((file) =>
          ofTenant({ node_id: file, content_version: 1, outcome: "ok", text: canary, extractor_version: 1 }),
        ),
      )
      .execute();
    await db
      .insertInto("app.node_change")
      .values(files.map((file) => ofTenant({ node_id: file, what: "renamed", from_name: canary })))
      .execute();
    await db
      .insertInto("app.approval")
      .values(
        ofTenant({
          id: twins.approval,
          origin: "command",
          actor_id: twins.member,
          asked_with: twins.member,
          in_session: false,
          scopes: ["*"],
          token_hash: createHash("sha256").update("approval").digest(),
          command: "access grant",
          arguments: JSON.stringify({ subject: "/", person: canary }),
          workspace_ids: [twins.common],
          shown: canary,
          digest: canary,
          expires_at: new Date(Date.now() + 86_400_000),
        }),
      )
      .execute();
    await db
      .insertInto("app.collection")
      .values(
        ofTenant({
          id: twins.collection,
          workspace_id: twins.common,
          acl_scope_id: twins.common,
          name: `${canary} list`,
          slug: "list",
          fields: JSON.stringify([{ key: "a", name: "name", type: "text", required: false }]),
          title_field: "a",
          created_by: twins.member,
        }),
      )
      .execute();
    await db
      .insertInto("app.record")
      .values(
        [twins.record, secretRecord].map((record) =>
          ofTenant({
            id: record,
            collection_id: twins.collection,
            title: canary,
            fields: JSON.stringify({ a: canary }),
            ...made,
          }),
        ),
      )
      .execute();
    await db
      .insertInto("control.credential")
      .values([administrator, member, outsider, spare, shared, session].map(({ row }) => row))
      .execute();
    await db
      .insertInto("control.session")
      .values(
        ofTenant({
          credential_id: session.row.id,
          ticket_hash: createHash("sha256").update("ticket").digest(),
          person_id: twins.member,
          commands: [canary],
          ends_at: new Date(Date.now() + 86_400_000),
        }),
      )
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
            left: {
              version: 1,
              isTrashed: false,
              name: `${canary} sandbox`,
              slug: "sandbox",
              ...withoutMeaning,
            },
            before: { version: 0, isTrashed: false, name: `${canary} sand`, slug: "sand", ...withoutMeaning },
          }),
          changes: JSON.stringify([{ action: "update", type: "workspace", name: `${canary} sandbox` }]),
        }),
      )
      .execute();
    await db
      .insertInto("app.operation_progress")
      .values(ofTenant({ operation_id: twins.operation, state: "done", total: 1, unit: "names" }))
      .execute();
    await db
      .insertInto("app.search_reindex")
      .values(ofTenant({ total: 1 }))
      .execute();
    await db
      .insertInto("app.embedding_index_queue_entry")
      .values(
        ofTenant({ node_id: twins.file, workspace_id: twins.common, failure: canary, parked_version: 1 }),
      )
      .execute();
    await db
      .insertInto("app.embedding_setting")
      .values(ofTenant({ model: canary }))
      .execute();
    await db.insertInto("app.embedding_run").values(ofTenant({})).execute();
    await db
      .insertInto("app.embedding_opt_out")
      .values(ofTenant({ workspace_id: twins.common, drop_at: new Date("2100-01-01") }))
      .execute();
    const vector = `[1${",0".repeat(767)}]`;
    await sql`
      insert into app.embedding_result (tenant_id, model, purpose, text_hash, embedding, expires_at)
      values (${id}, ${canary}, 'query', sha256(${canary}::bytea), ${vector}::halfvec, now() + interval '1 day')`.execute(
      db,
    );
    await sql`
      insert into app.file_embedding (
        tenant_id, shelf_id, node_id, model, chunk, content_version, place_id, start_at, length, text_hash, embedding)
      values (${id}, 1, ${twins.file}, ${canary}, 0, 1, ${twins.common}, 0, 1, sha256(${canary}::bytea),
        ${vector}::halfvec)`.execute(db);
    await db
      .insertInto("app.search_query")
      .values(
        ofTenant({ actor_id: twins.outsider, query: canary, normalised: canary, hits: 0, at: new Date() }),
      )
      .execute();
    await db
      .insertInto("app.search_log_refusal")
      .values(ofTenant({ actor_id: guest.id }))
      .execute();
    await db
      .insertInto("app.demo")
      .values(ofTenant({ visitors_group_id: guest.id }))
      .execute();
    await db
      .insertInto("app.demo_visitor")
      .values(
        ofTenant({
          id: guest.id,
          secret_hash: Buffer.alloc(32, 1),
          workspace_id: twins.common,
          expires_at: new Date("2100-01-01"),
        }),
      )
      .execute();
    await db
      .insertInto("app.tenant_setting")
      .values(ofTenant({ workspace_creation: "everyone" }))
      .execute();
    await db
      .insertInto("app.ai_budget_limit")
      .values(ofTenant({ limit_micros: 1_000_000 + index }))
      .execute();
    const month = new Date().toISOString().slice(0, 7);
    await db
      .insertInto("app.ai_budget")
      .values(ofTenant({ month: `${month}-01`, limit_micros: 1_000_000 + index, spent_micros: 1 }))
      .execute();
    await db
      .insertInto("app.ai_spend")
      .values(
        ofTenant({
          month: `${month}-01`,
          purpose: "query",
          reserved_micros: 1,
          micros: 1,
          outcome: "settled",
          model: canary,
          reserved_at: new Date(),
          expires_at: new Date(),
          ended_at: new Date(),
        }),
      )
      .execute();
    await db
      .insertInto("app.search_shelf")
      .values(ofTenant({ shelf_id: 1 }))
      .execute();
    await db
      .insertInto("app.search_place")
      .values(
        ofTenant({
          id: twins.common,
          workspace_id: twins.common,
          acl_scope_id: twins.common,
          is_hidden: false,
        }),
      )
      .execute();
    await sql`
      insert into app.search_document (
        tenant_id, shelf_id, id, entity_type, workspace_id, place_id, name, whole_name, name_tsv, name_length, body_tsv,
        body_length, is_cut, updated_at, content_version, analyser_version)
      values (${id}, 1, ${twins.file}, 'FILE', ${twins.common}, ${twins.common}, ${canary}, ${canary},
        ${`'${canary}':1`}::tsvector, 1, '', 0, false, now(), 1, 1)`.execute(db);
    await sql`select app.count_search_documents(${id})`.execute(db);
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
    secretFile,
    secretRecord,
    spareCredential: spare.row.id,
    session: session.row.id,
    workspaces: [],
    operations: [],
    credentials: [],
    previews: [],
  };
}
