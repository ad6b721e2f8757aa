import { ProblemError } from "@svc/protocol/problem";
import { z } from "zod";
import type { CommandContext } from "../../../platform/commands/command-context.ts";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { requireAdministrator } from "../../../platform/commands/require-administrator.ts";
import { noteChange, type Part, requireOwnChange } from "../../../platform/undo/last-change.ts";
import { ownWork } from "../../../platform/undo/work-of-others.ts";
import { allowLog, isRefused, refuseLog } from "../../query-log/query-log.ts";

const Switch = z.enum(["on", "off"]);

export default defineCommand({
  summary: "Choose whether your queries are kept for search insights",
  description:
    "Off deletes kept queries and keeps no more. With --everybody, an administrator decides for the whole tenant; " +
    "people who turned it off for themselves stay excluded either way.",
  category: "Search",
  effect: "write",
  agents: "never",
  reach: "inside",
  scopes: ["search:write"],
  arguments: z.strictObject({
    log: Switch.describe("on or off"),
    everybody: z.boolean().default(false).describe("For the whole tenant"),
  }),
  positionals: ["log"],
  result: z.object({ log: Switch, for: z.enum(["you", "everybody"]) }),
  presentation: {
    as: "text",
    text: ({ log, for: whom }) =>
      `${whom === "you" ? "Your queries" : "Queries of everybody"} are ${log === "on" ? "kept for 90 days" : "not kept"}.`,
  },
  examples: [
    { command: "search log off", note: "Your own queries" },
    { command: "search log off --everybody", note: "For the whole tenant" },
  ],
  keywords: ["query history", "privacy", "opt out", "stop recording"],
  failures: ["conflict"],
  async run(context, { log, everybody }) {
    if (everybody) requireAdministrator(context);
    const actorId = everybody ? null : context.actor.id;
    const before = (await isRefused(context.transaction, actorId)) ? "off" : "on";
    if (before === log) {
      throw new ProblemError(
        "conflict",
        log === "on" ? "Queries are already kept." : "Queries are already not kept.",
      );
    }
    await turn(context, actorId, log);
    context.recordUndo({ actorId, log: before });
    return { log, for: everybody ? ("everybody" as const) : ("you" as const) };
  },
  undo: {
    // Deleted queries are not restored.
    payload: z.object({ actorId: z.string().nullable(), log: Switch }),
    async run(context, { actorId, log }, operation) {
      if (actorId === null) requireAdministrator(context);
      else if (actorId !== context.actor.id) {
        throw new ProblemError("not_permitted", "Only the person who made these queries can do this.");
      }
      const { transaction } = context;
      const now = (await isRefused(transaction, actorId)) ? ("off" as const) : ("on" as const);
      if (now === log) throw new ProblemError("conflict", "The setting was changed after this operation.");
      await requireOwnChange(transaction, switchOf(context, actorId), ownWork(context, operation));
      await turn(context, actorId, log);
      return { actorId, log: now };
    },
  },
});

function switchOf({ caller }: CommandContext, actorId: string | null): Part {
  return { subjectId: caller.tenant.id, partId: actorId ?? caller.tenant.id };
}

async function turn(
  context: CommandContext,
  actorId: string | null,
  log: z.output<typeof Switch>,
): Promise<void> {
  const { transaction, actor } = context;
  await (log === "off" ? refuseLog(transaction, actorId) : allowLog(transaction, actorId));
  await noteChange(transaction, switchOf(context, actorId));
  context.recordChange({
    action: "update",
    type: "search log",
    name: actorId === null ? "everybody" : actor.name,
    before: { log: log === "on" ? "off" : "on" },
    after: { log },
  });
}
