import { sql } from "kysely";
import { nobody } from "../../../platform/identity/nobody.ts";
import { defineJob } from "../../../platform/jobs/define-job.ts";
import { forEachDueTenant } from "../../../platform/jobs/for-each-tenant.ts";
import { dropWorkspace } from "../drop-vectors.ts";

/** Drops vectors of workspaces that turned it off, when their time is up. */
export default defineJob({
  cron: "*/10 * * * *",
  async run({ database, log, now, signal }) {
    const list = (batch: number) =>
      database.withDirectory(async (db) => {
        const { rows } = await sql<{ tenantId: string; workspaceId: string }>`
          select tenant_id as "tenantId", workspace_id as "workspaceId"
          from app.due_embedding_opt_outs(${now}, ${batch})`.execute(db);
        return rows;
      });
    await forEachDueTenant(list, { log, signal }, async ({ tenantId, workspaceId }) => {
      const vectors = await database.withTenant({ tenantId, actorId: nobody }, "write", (transaction) =>
        dropWorkspace(transaction, workspaceId, now),
      );
      log.info({ tenant: tenantId, workspace: workspaceId, vectors }, "vectors of a workspace dropped");
    });
  },
});
