import type { Database } from "@svc/database/database";
import { lastSlug } from "@svc/sample-company/company";

/** Whether the last item exists. Checked on every start of `npm run dev`, so it loads no commands. */
export function isFilled(database: Database, scope: { tenantId: string; actorId: string }): Promise<boolean> {
  return database.withTenant(scope, "read", async ({ db, tenantId }) => {
    const record = await db
      .selectFrom("app.collection as collection")
      .innerJoin("app.record as record", (join) =>
        join
          .onRef("record.tenant_id", "=", "collection.tenant_id")
          .onRef("record.collection_id", "=", "collection.id"),
      )
      .select("record.id")
      .where("collection.tenant_id", "=", tenantId)
      .where("collection.slug", "=", lastSlug)
      .limit(1)
      .executeTakeFirst();
    return record !== undefined;
  });
}
