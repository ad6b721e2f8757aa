import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTestDatabase, type TestDatabase } from "@svc/testing/test-database";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { withClient } from "../with-client.ts";
import { fillDatabase } from "./fill-database.ts";
import { sampleTenant, seedSampleTenant } from "./sample-tenant.ts";

const size = { tenants: 30, workspaces: 300, auditEntries: 1_000, nodes: 2_000 };

describe("a filled database", () => {
  let database: TestDatabase;
  let folder: string;

  beforeAll(async () => {
    database = await createTestDatabase();
    folder = await mkdtemp(join(tmpdir(), "svc-fill-"));
    seedSampleTenant(database.adminUrl, join(folder, "token"));
    await fillDatabase(database.adminUrl, size);
  });
  afterAll(async () => {
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  });

  async function query<Row extends object>(text: string): Promise<Row[]> {
    return withClient(database.adminUrl, async (client) => (await client.query<Row>(text)).rows);
  }

  test("has exactly the requested size", async () => {
    const [counts] = await query(`
      select (select count(*)::int from control.tenant) as tenants,
             (select count(*)::int from app.workspace) as workspaces,
             (select count(*)::int from app.audit) as "auditEntries",
             (select count(*)::int from app.node) as nodes`);
    expect(counts).toEqual(size);
  });

  test("has tenants of uneven size, and the sample tenant with a fixed one", async () => {
    const counts = await query<{ slug: string; workspaces: number }>(`
      select tenant.slug, count(*)::int as workspaces
      from control.tenant join app.workspace using (tenant_id) group by 1 order by 2 desc`);
    expect(counts).toHaveLength(size.tenants);
    expect(counts.find(({ slug }) => slug === sampleTenant.slug)?.workspaces).toBe(sampleTenant.workspaces);
    expect(counts.at(0)?.workspaces).toBeGreaterThan(20 * (counts.at(-1)?.workspaces ?? 0));
  });

  test("has files whose rows belong together, in existing folders", async () => {
    const [counts] = await query<{ files: number }>(`
      select count(*)::int as files, count(version)::int as versions, count(text)::int as texts,
             count(blob)::int as contents, count(*) filter (where blob.reference_count = 1)::int as held
      from app.node
      left join app.node_version as version on version.tenant_id = node.tenant_id and version.node_id = node.id
      left join app.node_text as text on text.tenant_id = node.tenant_id and text.node_id = node.id
      left join app.blob on blob.tenant_id = node.tenant_id and blob.sha256 = node.sha256
      where node.kind = 'file'`);
    const files = counts?.files ?? 0;
    expect(files).toBeGreaterThan(0.9 * size.nodes);
    expect(counts).toEqual({ files, versions: files, texts: files, contents: files, held: files });
    const lost = await query(`
      select from app.node where parent_id <> workspace_id and not exists (
        select from app.node as folder where folder.tenant_id = node.tenant_id and folder.id = node.parent_id
          and folder.workspace_id = node.workspace_id and folder.kind = 'folder')`);
    expect(lost).toEqual([]);
  });

  test("has audit chains in which each hash follows from the previous one, up to the head", async () => {
    const links = await query<{
      tenant: string;
      entry: string;
      previous: Buffer;
      hash: Buffer;
      head: Buffer;
    }>(`
      select audit.tenant_id as tenant, entry::text, previous_hash as previous, audit.hash, head.hash as head
      from app.audit join app.audit_head as head using (tenant_id) order by tenant_id, audit.sequence`);
    const ends = new Map<string, { hash: Buffer; head: Buffer }>();
    for (const { tenant, entry, previous, hash, head } of links) {
      const before = ends.get(tenant)?.hash ?? Buffer.alloc(32);
      const digest = createHash("sha256").update(entry).digest();
      expect(previous).toEqual(before);
      expect(hash).toEqual(createHash("sha256").update(before).update(digest).digest());
      ends.set(tenant, { hash, head });
    }
    expect(ends.size).toBe(size.tenants);
    for (const { hash, head } of ends.values()) expect(hash).toEqual(head);
  });
});

test("a size that is too small for every tenant is refused before anything is written", async () => {
  const tooSmall = { tenants: 30, workspaces: 40, auditEntries: 1_000, nodes: 0 };
  await expect(fillDatabase("postgres://nowhere", tooSmall)).rejects.toThrow(
    "cannot be shared by 30 tenants",
  );
});
