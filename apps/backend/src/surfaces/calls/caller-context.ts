import { mayRun } from "@svc/command-router/require-may-run";
import type { CallerContext } from "@svc/protocol/caller";
import { encodeId } from "@svc/protocol/typed-id";
import type { FastifyInstance } from "fastify";
import { actorId } from "../../features/members/members.ts";
import { visibleWorkspaces, workspaceView } from "../../features/workspaces/workspaces.ts";
import type { Platform } from "../../platform/commands/platform.ts";
import { runnerOf } from "../../platform/identity/caller.ts";
import { currentActor } from "../../platform/identity/current-actor.ts";
import { minimumClient, serverVersion } from "../../platform/process/version.ts";
import { requireCaller } from "../http/authentication.ts";
import { callHeaders } from "../http/request-context.ts";

const shownWorkspaces = 1_000;

/** GET /api/v1/context: the caller, workspaces and credential, so that `login`, `use` and `doctor` need no command. */
export function registerCallerContext(
  app: FastifyInstance,
  { database, catalog }: Pick<Platform, "database" | "catalog">,
): void {
  const listing = catalog.commands.filter(({ lists }) => lists === "workspace");
  app.get("/api/v1/context", async (request): Promise<CallerContext> => {
    const caller = requireCaller(request);
    const { actor: authenticated, tenant, credential, defaultWorkspaceId } = caller;
    if (credential.kind === "demo_visitor" || credential.kind === "agent_access_token") {
      throw new Error("visitors of the demo and agents have their own routes");
    }
    const runner = runnerOf(caller, callHeaders(request).inSession);
    // Who may not list them by a command finds none here.
    // guard: context-has-scopes
    const listsWorkspaces = listing.some((command) => mayRun(command, runner));
    const scope = { tenantId: tenant.id, actorId: authenticated.id };
    const { actor, workspaces } = await database.withTenant(scope, "read", async (transaction) => {
      const actor = await currentActor(transaction, authenticated);
      return {
        actor,
        workspaces: listsWorkspaces
          ? await visibleWorkspaces({ transaction, actor }, { limit: shownWorkspaces })
          : [],
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
