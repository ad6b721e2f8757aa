import type { Database, TenantTransaction } from "@svc/database/database";
import { holdDocuments } from "@svc/search/index/documents";
import { reembedFile } from "@svc/search/vectors/embedding-queue";
import { sql } from "kysely";
import { indexDocuments } from "../../platform/commands/index-documents.ts";
import { type Extraction, extractorVersion } from "../../platform/text/extract-text.ts";
import { passingOutcomes } from "../../platform/text/readers/extraction.ts";
import { retryTime } from "./retry-time.ts";
import nodes from "./search-sources/nodes.ts";

/** A document to retry, and the number of the attempt. */
export interface Retry {
  nodeId: string;
  contentVersion: number;
  workspaceId: string;
  name: string;
  sha256: string;
  attempts: number;
}

export async function tenantsToReadAgain(
  database: Pick<Database, "withDirectory">,
  now: Date,
  limit: number,
): Promise<{ tenantId: string }[]> {
  return database.withDirectory(async (db) => {
    const { rows } = await sql<{ tenantId: string }>`
      select id as "tenantId" from app.tenants_to_read_again(${now}, ${limit}) as due (id)`.execute(db);
    return rows;
  });
}

/**
 * The document that has waited longest. The attempt is counted before it begins, and the next one is scheduled as if
 * this one ran out of time: if the worker is killed, the row is already right, and a document that kills every worker
 * gets no more attempts than others. Old versions and files in the trash wait until they are restored.
 */
export async function claimRetry({ db, tenantId }: TenantTransaction, now: Date): Promise<Retry | undefined> {
  const { rows } = await sql<Retry>`
    select node.id as "nodeId", node.content_version as "contentVersion", node.workspace_id as "workspaceId", node.name,
      encode(node.sha256, 'hex') as sha256, stored.attempts + 1 as attempts
    from app.node_text as stored
    join app.node as node
      on node.tenant_id = ${tenantId} and node.id = stored.node_id and node.content_version = stored.content_version
    where stored.tenant_id = ${tenantId} and stored.retry_at <= ${now} and node.trashed_at is null
    order by stored.retry_at limit 1 for update of stored skip locked`.execute(db);
  const [retry] = rows;
  if (!retry) return undefined;
  await sql`
    update app.node_text set attempts = ${retry.attempts}, retry_at = ${retryTime("timeout", retry.attempts, now)}
    where ${isText(tenantId, retry)}`.execute(db);
  return retry;
}

/** The worker stops: takes the attempt back. */
export async function giveBackRetry(
  { db, tenantId }: TenantTransaction,
  retry: Retry,
  now: Date,
): Promise<void> {
  await sql`
    update app.node_text set attempts = ${retry.attempts - 1}, retry_at = ${now}
    where ${isText(tenantId, retry)} and attempts = ${retry.attempts}`.execute(db);
}

/** Stores the extracted text and everything derived from it, as a put does. False if the file has new content by now. */
export async function storeRetry(
  transaction: TenantTransaction,
  retry: Retry,
  { outcome, text, mediaType }: Extraction,
): Promise<boolean> {
  const { db, tenantId } = transaction;
  const { nodeId, contentVersion, workspaceId } = retry;
  // Locks the file first, like every command that changes it, so that a put runs either before or after this.
  const { numAffectedRows: current } = await sql`
    update app.node set media_type = ${mediaType}
    where tenant_id = ${tenantId} and id = ${nodeId} and content_version = ${contentVersion}`.execute(db);
  if (current !== 1n) return false;
  const { numAffectedRows: stored } = await sql`
    update app.node_text
    set outcome = ${outcome}, text = ${text}, extractor_version = ${extractorVersion}, retry_at = null
    where ${isText(tenantId, retry)} and outcome = any(${[...passingOutcomes]})`.execute(db);
  if (stored !== 1n) return false;
  await sql`
    update app.node_version set media_type = ${mediaType}
    where tenant_id = ${tenantId} and node_id = ${nodeId} and content_version = ${contentVersion}`.execute(
    db,
  );
  await holdDocuments(transaction, [{ id: nodeId, entityType: "FILE", workspaceId }]);
  await indexDocuments(transaction, nodes, [nodeId]);
  await reembedFile(transaction, nodeId);
  return true;
}

function isText(tenantId: string, { nodeId, contentVersion }: Retry) {
  return sql`tenant_id = ${tenantId} and node_id = ${nodeId} and content_version = ${contentVersion}`;
}
