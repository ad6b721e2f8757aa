import { z } from "zod";
import type { CommandContext } from "../../../platform/commands/command-context.ts";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { readRightsOf } from "../access-store.ts";
import { reasonsFor } from "../explain.ts";
import { Person, requirePrincipal } from "../principals.ts";
import { Rights } from "../rights.ts";
import { type Role, roles } from "../role.ts";
import { showSubject } from "../show-subject.ts";
import { locateSubject, requireOwnership, requireReader, type Subject, SubjectTarget } from "../subject.ts";

export default defineCommand({
  summary: "Show what somebody can do with something, and which entry grants it",
  description: "You can check your own access; owners can check anybody's.",
  category: "Access",
  effect: "read",
  agents: "searchable",
  reach: "inside",
  scopes: ["access:read"],
  arguments: z.strictObject({
    subject: SubjectTarget,
    person: Person.optional().describe("E-mail address, name or id; by default yourself"),
  }),
  positionals: ["subject", "person"],
  result: z.object({
    subject: z.string(),
    person: z.string(),
    role: z.enum(roles).optional().describe("Absent without access"),
    reasons: z.array(z.object({ role: z.string(), through: z.string(), from: z.string() })),
  }),
  presentation: {
    as: "text",
    text: ({ subject, person, role, reasons }) =>
      role === undefined
        ? `${person} has no access to ${subject}`
        : [
            `${person} is ${role} of ${subject}`,
            ...reasons.map(
              (reason) => `  ${reason.role.padEnd(6)}  ${reason.through}, in the list of ${reason.from}`,
            ),
            ...(reasons.length === 0 ? ["  through an access list that you cannot see"] : []),
          ].join("\n"),
  },
  examples: [
    { command: "access check /board/minutes.md rin@example.com", note: "Shows why Rin can read it" },
  ],
  keywords: [
    "permission",
    "permissions",
    "rights",
    "can read",
    "may",
    "allowed",
    "why access",
    "able to",
    "what can i do",
  ],
  failures: ["not_found", "usage", "conflict"],
  async run(context, { subject: target, person }) {
    const subject = await locateSubject(context, target);
    if (person === undefined) requireReader(subject);
    else requireOwnership(subject);
    const principal =
      person === undefined
        ? { id: context.actor.id, name: context.actor.name }
        : await requirePrincipal(context, person);
    const { scopes, isAdministrator } = await readRightsOf(
      context.transaction,
      subject.workspaceId,
      principal.id,
    );
    const rights =
      person === undefined ? subject.rights : Rights.of(scopes, subject.workspaceId, isAdministrator);
    const role = rights.roleIn(subject.scopeId);
    const reasons = await reasonsFor(context, subject, principal.id);
    const limit = person === undefined ? await limitInSession(context, subject, role, reasons[0]) : [];
    return showSubject(context, subject, {
      subject: subject.name,
      person: principal.name,
      ...(role === undefined ? {} : { role }),
      reasons: [
        ...limit,
        ...(isAdministrator
          ? [{ role: "owner", through: "administrator of the tenant", from: "all workspaces" }]
          : []),
        ...reasons.map(({ role: given, principalId, name, kind, at }) => ({
          role: given,
          through:
            principalId === principal.id
              ? "by name"
              : kind === "group"
                ? `group ${name}`
                : "everyone in the workspace",
          from: at,
        })),
      ],
    });
  },
});

/**
 * A session may do what both may do, and reads the lists that both can read. So the AI member's entries may give more
 * than its role there, or none may be readable; then an entry of its person is the reason.
 */
async function limitInSession(
  context: CommandContext,
  subject: Subject,
  role: Role | undefined,
  best: { role: Role } | undefined,
) {
  const { onBehalfOf } = context.actor;
  if (!onBehalfOf || role === undefined || best?.role === role) return [];
  const ofPerson = await reasonsFor(context, subject, onBehalfOf.id);
  const from = ofPerson.find((reason) => reason.role === role)?.at ?? (best && subject.name);
  return from === undefined ? [] : [{ role, through: `${onBehalfOf.name}, for whom you work`, from }];
}
