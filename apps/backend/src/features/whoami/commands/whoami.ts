import { encodeId } from "@svc/protocol/typed-id";
import { exactTimeIn } from "@svc/rendering/view";
import { z } from "zod";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { pendingFor } from "../../approvals/approvals.ts";
import { actorId } from "../../members/members.ts";

export default defineCommand({
  summary: "Show the current account, tenant and credential",
  category: "Account",
  effect: "read",
  agents: "listed",
  reach: "inside",
  scopes: [],
  arguments: z.strictObject({}),
  result: z.object({
    id: z.string(),
    kind: z.enum(["human", "service", "ai"]),
    name: z.string(),
    email: z.string().optional(),
    isAdministrator: z.boolean(),
    onBehalfOf: z.string().optional().describe("For whom, in a session"),
    tenantId: z.string(),
    tenantName: z.string(),
    credentialKind: z.string(),
    credentialExpiresAt: z.iso.datetime().optional(),
    scopes: z.array(z.string()),
    pendingApprovals: z.int().optional().describe("How many wait for your decision; absent if none does"),
  }),
  presentation: {
    as: "text",
    text: (me, view) =>
      [
        `${me.name}${me.email === undefined ? "" : ` <${me.email}>`} (${me.kind}${me.isAdministrator ? ", administrator" : ""})`,
        ...(me.onBehalfOf === undefined ? [] : [`Works for   ${me.onBehalfOf}`]),
        `Tenant      ${me.tenantName}`,
        `Credential  ${me.credentialKind.replaceAll("_", " ")}${me.credentialExpiresAt === undefined ? ", does not expire" : `, until ${exactTimeIn(view, me.credentialExpiresAt)}`}`,
        `Scopes      ${me.scopes.includes("*") ? "all" : me.scopes.join(", ")}`,
        ...(me.pendingApprovals === undefined
          ? []
          : [`Approvals   ${me.pendingApprovals} waiting for you: svc approvals list`]),
        ...(view.profile === undefined ? [] : [`Profile     ${view.profile}`]),
      ].join("\n"),
  },
  examples: [{ command: "whoami", note: "Check which account and tenant a token belongs to" }],
  keywords: ["current user", "my account", "am i logged in", "identity", "my rights"],
  failures: [],
  async run(context) {
    const { actor, tenant, credential, scopes } = context.caller;
    const pendingApprovals = await pendingFor(context);
    return {
      id: actorId(actor),
      kind: actor.kind,
      name: actor.name,
      ...(actor.email === undefined ? {} : { email: actor.email }),
      isAdministrator: actor.isAdministrator,
      ...(actor.onBehalfOf && { onBehalfOf: actor.onBehalfOf.name }),
      tenantId: encodeId("tenant", tenant.id),
      tenantName: tenant.name,
      credentialKind: credential.kind,
      ...(credential.expiresAt === undefined
        ? {}
        : { credentialExpiresAt: credential.expiresAt.toISOString() }),
      scopes: [...scopes],
      ...(pendingApprovals === 0 ? {} : { pendingApprovals }),
    };
  },
});
