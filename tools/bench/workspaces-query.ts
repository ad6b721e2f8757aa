import type { Target } from "./measure-http.ts";
import { sampleTenant } from "./scale-data/sample-tenant.ts";
import { send } from "./send.ts";
import { findWaitingStatement } from "./waiting-statement.ts";
import { withClient } from "./with-client.ts";

/** What `workspaces list` asks of the database for the sample tenant's administrator. */
export interface WorkspacesQuery {
  begin: string;
  statement: string;
  parameters: unknown[];
}

/** A page of 50, and one row more to tell whether there is another. */
const rowsAsked = 51;

export async function findWorkspacesQuery(adminUrl: string, list: Target): Promise<WorkspacesQuery> {
  const { tenantId, actorId } = await findSampleActor(adminUrl);
  return {
    begin:
      `begin read only;select set_config('app.tenant_id', '${tenantId}', true),` +
      ` set_config('app.actor_id', '${actorId}', true)`,
    statement: await findWaitingStatement(adminUrl, "app.workspace", () => send(list)),
    parameters: [actorId, tenantId, rowsAsked],
  };
}

async function findSampleActor(adminUrl: string): Promise<{ tenantId: string; actorId: string }> {
  return withClient(adminUrl, async (client) => {
    const { rows } = await client.query<{ tenantId: string; actorId: string }>(
      `select tenant_id as "tenantId", principal_id as "actorId"
       from control.credential join control.tenant using (tenant_id)
       where slug = $1 and credential.name = 'developer' order by credential.id desc limit 1`,
      [sampleTenant.slug],
    );
    const [row] = rows;
    if (!row) throw new Error("the seed made no credential named developer");
    return row;
  });
}
