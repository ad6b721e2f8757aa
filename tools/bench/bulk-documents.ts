import { Database } from "@svc/database/database";
import { decodeId, encodeId } from "@svc/protocol/typed-id";
import { writeDocuments } from "@svc/search/index/documents";
import type pg from "pg";
import { type FileCaller, type } from "./file-caller.ts";
import { withClient } from "./with-client.ts";

interface Target {
  adminUrl: string;
  appUrl: string;
  url: string;
  caller: FileCaller;
}

/** A document to be written: its name is unique in its folder. */
export interface BulkDocument {
  name: string;
  text: string;
  updatedAt: Date;
}

/** A transaction that takes long to write is ended by the database: on a busy machine this is not many. */
const atOnce = 250;

/**
 * Many files in minutes: folders by the product, their files by SQL, the index by the product's own function. The word
 * indexes are absent meanwhile and built at the end. Files lie in the order in which they are added, and so do their
 * ids, as if somebody had put them one after the other.
 */
export class BulkDocuments implements AsyncDisposable {
  readonly #target: Target;
  readonly #database: Database;
  readonly #indexes: readonly { name: string; definition: string }[];

  private constructor(target: Target, indexes: readonly { name: string; definition: string }[]) {
    this.#target = target;
    this.#indexes = indexes;
    this.#database = new Database({ url: target.appUrl, maxConnections: 2 });
  }

  static async begin(target: Target): Promise<BulkDocuments> {
    const indexes = await withClient(target.adminUrl, async (client) => {
      const { rows } = await client.query<{ name: string; definition: string }>(`
        select indexname as name, indexdef as definition from pg_indexes
        where schemaname = 'app' and tablename like 'search_document_%' and indexdef ilike '%using gin%'`);
      for (const { name } of rows) await client.query(`drop index app.${name}`);
      return rows;
    });
    return new BulkDocuments(target, indexes);
  }

  /** Into a new folder at the top of the caller's workspace. Returns ids as people see them: its own and its files'. */
  async addFolder(
    name: string,
    documents: readonly BulkDocument[],
  ): Promise<{ id: string; fileIds: string[] }> {
    const { url, adminUrl, caller } = this.#target;
    const line = `files mkdir /${name} --workspace ${caller.workspace}`;
    const { data } = await type({ url, token: caller.token }, line);
    const id = String(data.id);
    const folderId = decodeId(id, "folder");
    if (folderId === undefined) throw new Error(`/${name} was not created`);
    const fileIds: string[] = [];
    await withClient(adminUrl, async (client) => {
      for (let start = 0; start < documents.length; start += atOnce) {
        const some = documents.slice(start, start + atOnce);
        const nodes = await insertNodes(client, caller, folderId, some);
        await this.#index(some, nodes, folderId);
        fileIds.push(...nodes.map((node) => encodeId("file", node.id)));
      }
    });
    return { id, fileIds };
  }

  /** As after months of use: indexed, vacuumed, and with fresh statistics. */
  async finish(): Promise<void> {
    await withClient(this.#target.adminUrl, async (client) => {
      await client.query("set maintenance_work_mem = '1GB'");
      for (const { definition } of this.#indexes) await client.query(definition);
      await client.query("vacuum (analyze)");
    });
  }

  #index(documents: readonly BulkDocument[], nodes: readonly NodeRow[], placeId: string): Promise<void> {
    return this.#database.withTenant(this.#target.caller, "write", (transaction) =>
      writeDocuments(
        transaction,
        nodes.map(({ id, workspaceId }, index) => ({
          ...(documents[index] as BulkDocument),
          id,
          entityType: "FILE",
          workspaceId,
          placeId,
          mediaType: "text/plain",
          ownerId: null,
          contentVersion: 1,
        })),
      ),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#database.close();
  }
}

interface NodeRow {
  id: string;
  workspaceId: string;
}

/** In the order of the documents. */
async function insertNodes(
  client: pg.Client,
  { tenantId, actorId }: FileCaller,
  folderId: string,
  documents: readonly BulkDocument[],
): Promise<NodeRow[]> {
  const { rows } = await client.query<NodeRow>(
    `with given as (
       select name, number, uuidv7() as id from unnest($4::text[]) with ordinality as given (name, number)),
     made as (
       insert into app.node (tenant_id, id, workspace_id, parent_id, kind, name, acl_scope_id, content_version, size,
         media_type, sha256, created_by, updated_by)
       select folder.tenant_id, given.id, folder.workspace_id, folder.id, 'file', given.name, folder.acl_scope_id, 1,
         1000, 'text/plain', sha256(uuid_send(given.id)), $3, $3
       from app.node as folder, given where folder.tenant_id = $1 and folder.id = $2
       returning tenant_id, id, workspace_id, name, size, media_type, sha256),
     kept as (
       insert into app.blob (tenant_id, sha256, size, storage_key, reference_count)
       select tenant_id, sha256, size, gen_random_uuid(), 1 from made),
     versions as (
       insert into app.node_version (tenant_id, node_id, content_version, size, media_type, sha256, created_by)
       select tenant_id, id, 1, size, media_type, sha256, $3 from made),
     texts as (
       insert into app.node_text (tenant_id, node_id, content_version, outcome, text, extractor_version)
       select tenant_id, id, 1, 'ok', name, 1 from made)
     select made.id, made.workspace_id as "workspaceId" from made join given using (id) order by given.number`,
    [tenantId, folderId, actorId, documents.map(({ name }) => name)],
  );
  return rows;
}
