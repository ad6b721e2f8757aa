import { ProblemError } from "@svc/protocol/problem";
import { encodeId } from "@svc/protocol/typed-id";
import { exactTimeIn } from "@svc/rendering/view";
import { z } from "zod";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { requireCommands } from "../../../platform/commands/require-commands.ts";
import { formatServiceToken, hashSecret, newSecret } from "../../../platform/identity/service-token.ts";
import { newTicket } from "../../../platform/identity/session-ticket.ts";
import { countOpenSessions, idleMinutes, insertSession } from "../../../platform/identity/sessions-store.ts";
import { Person, requirePrincipal } from "../../access/access.ts";
import { earlier, insertCredential, ownLimits } from "../../tokens/tokens.ts";
import { currentWorkspace } from "../../workspaces/workspaces.ts";
import { SessionView, sessionView } from "../sessions.ts";

const mostHours = 8;
const mostOpen = 20;
const minute = 60_000;

export default defineCommand({
  summary: "Open a session in which an AI member works for you",
  description:
    "Prints a token and a ticket for the agent's environment, so that your own token never gets there. The agent may do what " +
    `both you and the AI member may do. It ends after ${idleMinutes} minutes without use. With --workspace it sees that workspace only.`,
  category: "Agents",
  effect: "write",
  agents: "never",
  reach: "outward",
  scopes: ["sessions:write"],
  arguments: z.strictObject({
    member: Person.describe("Name or id of the AI member"),
    allow: z
      .array(
        z.string().regex(/^[a-z][a-z-]*( [a-z][a-z-]*)?$/, "must be a command or a group, such as files"),
      )
      .max(50)
      .default([])
      .describe(
        "The only commands or groups that it can run, such as files or 'search query'; by default all",
      ),
    hours: z.int().min(1).max(mostHours).default(mostHours).describe("Hours until it ends at the latest"),
  }),
  positionals: ["member"],
  result: SessionView.extend({ token: z.string(), ticket: z.string() }),
  presentation: {
    as: "text",
    text: ({ id, member, endsAt, token, ticket }, view) =>
      [
        `Opened session ${id}: ${member} works for you until ${exactTimeIn(view, endsAt)}`,
        "",
        `SVC_SA_TOKEN=${token}`,
        `SVC_CLI_SESSION_TICKET=${ticket}`,
        "",
        `Both are shown only once. End it with: svc sessions end ${id}`,
      ].join("\n"),
  },
  examples: [
    { command: "sessions open assistant", note: "For whatever both of you may do" },
    {
      command: "sessions open assistant --allow search --workspace marketing",
      note: "To search in one workspace",
    },
  ],
  keywords: ["start agent", "delegate", "impersonate", "agent token", "ticket", "on behalf of"],
  failures: ["not_found", "conflict", "usage", "too_many_requests"],
  async run(context, { member: named, allow: commands, hours }) {
    const { transaction, actor, caller, now } = context;
    requireCommands(context, commands);
    const member = await requirePrincipal(context, named);
    if (member.kind !== "ai") {
      throw new ProblemError("conflict", `${member.name} is not an AI member.`, {
        hint: "An administrator creates one with `svc tokens create <name> --kind ai`.",
      });
    }
    // Each has its own share of the service.
    // guard: few-sessions
    if ((await countOpenSessions(transaction, actor.id)) >= mostOpen) {
      throw new ProblemError("too_many_requests", `You have ${mostOpen} open sessions.`, {
        hint: "End one with `svc sessions end`.",
      });
    }
    const workspaceId =
      context.namedWorkspace === undefined ? undefined : (await currentWorkspace(context)).id;
    const own = ownLimits(context);
    const endsAt = earlier(new Date(now.getTime() + hours * 60 * minute), own.expiresAt);
    const expiresAt = earlier(new Date(now.getTime() + idleMinutes * minute), endsAt);
    const [secret, ticket] = [newSecret(), newTicket()];
    const { id, createdAt } = await insertCredential(transaction, {
      ...own,
      accountId: member.id,
      name: `session for ${actor.name}`,
      secretHash: hashSecret(secret),
      expiresAt,
      defaultWorkspaceId: workspaceId,
    });
    await insertSession(transaction, {
      credentialId: id,
      ticketHash: hashSecret(ticket),
      personId: actor.id,
      openedWith: caller.credential.id,
      workspaceId,
      commands,
      endsAt,
    });
    const session = {
      id,
      memberName: member.name,
      personName: actor.name,
      workspaceId: workspaceId ?? null,
      commands,
      openedAt: createdAt,
      expiresAt,
      endsAt,
    };
    context.recordChange({
      action: "create",
      type: "session",
      name: member.name,
      after: { commands, hours, ...(workspaceId && { workspace: encodeId("workspace", workspaceId) }) },
    });
    return { ...sessionView(session), token: formatServiceToken({ credentialId: id, secret }), ticket };
  },
});
