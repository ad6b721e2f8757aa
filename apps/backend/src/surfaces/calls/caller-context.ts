import type { CallerContext } from "@svc/protocol/caller";
import { encodeId } from "@svc/protocol/typed-id";
import type { FastifyInstance } from "fastify";
import { actorId } from "../../features/members/members.ts";
import { visibleWorkspaces, workspaceView } from "../../features/workspaces/workspaces.ts";
import type { Platform } from "../../platform/commands/platform.ts";
import { currentActor } from "../../platform/identity/current-actor.ts";
import { minimumClient, serverVersion } from "../../platform/process/version.ts";
import { requireCaller } from "../http/authentication.ts";

const shownWorkspaces = 1_000;

/** GET /api/v1/context: the caller, workspaces and credential, so that `login`, `use` and `doctor` need no command. */
export function registerCallerContext(app: FastifyInstance, { database }: Pick<Platform, "database">): void {
  app.get("/api/v1/context", async (request): Promise<CallerContext> => {
    const { actor: authenticated, tenant, credential, defaultWorkspaceId } = requireCaller(request);
    if (credential.kind === "demo_visitor" || credential.kind === "agent_access_token") {
      throw new Error("visitors of the demo and agents have their own routes");
    }
    const scope = { tenantId: tenant.id, actorId: authenticated.id };
    const { actor, workspaces } = await database.withTenant(scope, "read", async (transaction) => {
      const actor = await currentActor(transaction, authenticated);
      return {
        actor,
        workspaces: await visibleWorkspaces({ transaction, actor }, { limit: shownWorkspaces }),
      };
    });
    return {
      actor: {
        id: actorId(actor),
        kind: actor.kind,
        name: actor.name,
        ...(actor.email === undefined ? {} : { email: actor.email }),
      },
      tenant: { id: encodeId("tenant", tenant.id), name: tenant.name },
      credential: {
        kind: credential.kind,
        ...(credential.expiresAt === undefined ? {} : { expiresAt: credential.expiresAt.toISOString() }),
      },
      workspaces: workspaces
        .map((workspace) => workspaceView(workspace, actor))
        .map(({ id, name, slug, role }) => ({ id, name, slug, role })),
      ...(defaultWorkspaceId === undefined
        ? {}
        : { defaultWorkspaceId: encodeId("workspace", defaultWorkspaceId) }),
      server: { version: serverVersion, time: new Date().toISOString(), minimumClient },
    };
  });
}
