import { sql } from "kysely";
import { nobody } from "../../../platform/identity/nobody.ts";
import { defineJob } from "../../../platform/jobs/define-job.ts";
import { forEachTenant } from "../../../platform/jobs/for-each-tenant.ts";
import { dropWorkspace } from "../drop-vectors.ts";

const atOnce = 100;

/** Drops vectors of workspaces that turned it off, when their time is up. */
export default defineJob({
  cron: "*/10 * * * *",
  async run({ database, log, now, signal }) {
    const { rows } = await database.withDirectory((db) =>
      sql<{ tenantId: string; workspaceId: string }>`
        select tenant_id as "tenantId", workspace_id as "workspaceId"
        from app.due_embedding_opt_outs(${now}, ${atOnce})`.execute(db),
    );
    await forEachTenant(rows, { log, signal }, async ({ tenantId, workspaceId }) => {
      const vectors = await database.withTenant({ tenantId, actorId: nobody }, "write", (transaction) =>
        dropWorkspace(transaction, workspaceId, now),
      );
      log.info({ tenant: tenantId, workspace: workspaceId, vectors }, "vectors of a workspace dropped");
    });
  },
});
