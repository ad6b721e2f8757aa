import { ProblemError } from "@svc/protocol/problem";
import { decodeId, encodeId } from "@svc/protocol/typed-id";
import { z } from "zod";
import type { CommandContext } from "../../platform/commands/command-context.ts";
import { findSession, type Session } from "../../platform/identity/sessions-store.ts";

export const SessionView = z.object({
  id: z.string(),
  member: z.string(),
  onBehalfOf: z.string(),
  workspaceId: z.string().optional().describe("The only workspace that it sees; absent if it sees all"),
  commands: z.array(z.string()).describe("The only commands or groups that it can run; empty if all"),
  openedAt: z.iso.datetime(),
  expiresAt: z.iso.datetime().describe("Unless it is used before"),
  endsAt: z.iso.datetime().describe("At the latest"),
});

export function sessionView(session: Omit<Session, "personId" | "version">): z.output<typeof SessionView> {
  const { id, memberName, personName, workspaceId, commands, openedAt, expiresAt, endsAt } = session;
  return {
    id: encodeId("session", id),
    member: memberName,
    onBehalfOf: personName,
    ...(workspaceId === null ? {} : { workspaceId: encodeId("workspace", workspaceId) }),
    commands,
    openedAt: openedAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    endsAt: endsAt.toISOString(),
  };
}

/** The caller's own, or anybody's if the caller is an administrator. */
export async function requireSession(
  { transaction, actor }: CommandContext,
  target: string,
): Promise<Session> {
  const id = decodeId(target, "session");
  const found = id === undefined ? undefined : await findSession(transaction, id);
  // guard: own-sessions-only
  if (found && (found.personId === actor.id || actor.isAdministrator)) return found;
  throw new ProblemError("not_found", `There is no open session \`${target}\`, or it is not yours.`, {
    hint: "Run `svc sessions list` to see those that are open.",
  });
}
