import type { TenantTransaction } from "@svc/database/database";
import { sql } from "kysely";

/** Which content of which file. */
interface NodeContent {
  id: string;
  contentVersion: number;
}

export interface StoredText {
  outcome: string;
  text: string;
  extractorVersion: number;
  /** Number of attempts to read it. */
  attempts: number;
  /** When it will be retried; null: what came out is final. */
  retryAt: Date | null;
}

function textsOf({ db, tenantId }: TenantTransaction, { id, contentVersion }: NodeContent) {
  return db
    .selectFrom("app.node_text")
    .where("tenant_id", "=", tenantId)
    .where("node_id", "=", id)
    .where("content_version", "=", contentVersion);
}

/** Without the text itself, which may be megabytes. */
export function describeText(transaction: TenantTransaction, node: NodeContent) {
  return textsOf(transaction, node)
    .select(["outcome", "attempts", "retry_at as retryAt", sql<number>`length(text)`.as("characters")])
    .executeTakeFirst();
}

/** A part of the text, by characters (code points), and whether it goes on; the rest stays in the database. */
export function readTextPart(
  transaction: TenantTransaction,
  node: NodeContent,
  { offset, limit }: { offset: number; limit: number },
) {
  const part = (from: number, length: number) => sql<string>`substr(text, ${from + 1}::int, ${length}::int)`;
  return textsOf(transaction, node)
    .select([
      "outcome",
      "attempts",
      "retry_at as retryAt",
      part(offset, limit).as("text"),
      sql<boolean>`${part(offset + limit, 1)} <> ''`.as("hasMore"),
      sql<boolean>`text = ''`.as("isEmpty"),
    ])
    .executeTakeFirst();
}

export function readText(transaction: TenantTransaction, node: NodeContent): Promise<StoredText | undefined> {
  return textsOf(transaction, node)
    .select(["outcome", "text", "extractor_version as extractorVersion", "attempts", "retry_at as retryAt"])
    .executeTakeFirst();
}
