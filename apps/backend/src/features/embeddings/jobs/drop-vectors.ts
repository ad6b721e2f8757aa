import { sql } from "kysely";
import { defineJob, nobody } from "../../../platform/define-job.ts";
import { dropModel, dropWorkspace } from "../drop-vectors.ts";

const atOnce = 100;

/** What nobody wants any more: vectors of workspaces that turned it off, and of models that were switched from. */
export default defineJob({
  cron: "*/10 * * * *",
  async run({ database, log, now }) {
    const { workspaces, tenants } = await database.withDirectory(async (db) => ({
      workspaces: await sql<{ tenantId: string; workspaceId: string }>`
        select tenant_id as "tenantId", workspace_id as "workspaceId"
        from app.due_embedding_opt_outs(${now}, ${atOnce})`.execute(db),
      tenants: await sql<{ tenantId: string }>`
        select id as "tenantId" from app.due_model_drops(${now}, ${atOnce}) as due (id)`.execute(db),
    }));
    for (const { tenantId, workspaceId } of workspaces.rows) {
      const vectors = await database.withTenant({ tenantId, actorId: nobody }, "write", (transaction) =>
        dropWorkspace(transaction, workspaceId, now),
      );
      log.info({ tenant: tenantId, workspace: workspaceId, vectors }, "vectors of a workspace dropped");
    }
    for (const { tenantId } of tenants.rows) {
      const vectors = await database.withTenant({ tenantId, actorId: nobody }, "write", (transaction) =>
        dropModel(transaction, now),
      );
      log.info({ tenant: tenantId, vectors }, "vectors of a former model dropped");
    }
  },
});
