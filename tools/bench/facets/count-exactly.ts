import { Database } from "@svc/database/database";
import { findShelves } from "@svc/search/index/shelf";
import { parseQuery } from "@svc/search/query/parse-query";
import { familiesOf } from "@svc/search/query/type-families";
import { countFacets } from "@svc/search/ranking/facets/count-facets";
import { withClient } from "../with-client.ts";

/** By facet and value. */
export type Counts = ReadonlyMap<string, number>;

/** Counts every hit of the administrator of a tenant, however long it takes. */
export async function exactCounter(
  { appUrl, adminUrl }: { appUrl: string; adminUrl: string },
  tenantId: string,
): Promise<AsyncDisposable & { count: (query: string) => Promise<Counts> }> {
  const database = new Database({ url: appUrl, maxConnections: 1 });
  const workspaceIds = await withClient(adminUrl, async (client) => {
    const { rows } = await client.query<{ id: string }>("select id from app.workspace where tenant_id = $1", [
      tenantId,
    ]);
    return rows.map(({ id }) => id);
  });
  const count = (query: string) =>
    database.withTenant({ tenantId, actorId: tenantId }, "read", async (transaction) => {
      const { all: shelves } = await findShelves(transaction, { hold: false });
      const visibility = { workspaceIds, scopeIds: "all" as const, doorIds: [] };
      const filters = { entityTypes: ["FILE", "FOLDER", "WORKSPACE", "RECORD"] as const };
      const source = { tenantId, shelves, visibility, filters, reach: "row" as const };
      const { types, years } = await countFacets(
        transaction,
        { parsed: parseQuery(query), content: true, source },
        { clock: { now: new Date(), timeZone: "UTC" }, level: 0 },
      );
      const counts = new Map<string, number>();
      const add = (key: string, hits: number) => counts.set(key, (counts.get(key) ?? 0) + hits);
      for (const { hits, ...type } of types)
        for (const family of familiesOf(type)) add(`type ${family}`, hits);
      for (const { year, hits } of years) add(`year ${year}`, hits);
      return counts;
    });
  return { count, [Symbol.asyncDispose]: () => database.close() };
}
