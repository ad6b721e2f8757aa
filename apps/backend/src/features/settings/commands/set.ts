import { isDeepStrictEqual } from "node:util";
import { ProblemError } from "@svc/protocol/problem";
import { z } from "zod";
import type { CommandContext } from "../../../platform/commands/command-context.ts";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { requireAdministrator } from "../../../platform/commands/require-administrator.ts";
import { requireCommands } from "../../../platform/commands/require-commands.ts";
import { readSettings, SettingsView, settingsText, WorkspaceCreation } from "../settings.ts";
import { type StoredSettings, saveSettings } from "../settings-store.ts";

/** Operations that an earlier version recorded know fewer settings; the others stay as they are. */
const StoredView = SettingsView.partial().extend({ version: z.int() });

export default defineCommand({
  summary: "Change settings of the tenant",
  description:
    "--approvals-for names what AI members also need an approval for, besides what cannot be undone and what changes access. " +
    "If one of these commands sends a file or a secret, AI members cannot run it at all: nobody can approve what they cannot read.",
  category: "Account",
  effect: "write",
  agents: "never",
  reach: "outward",
  scopes: ["settings:write"],
  arguments: z.strictObject({
    workspaceCreation: WorkspaceCreation.optional(),
    approvalsFor: z
      .array(z.string().min(1).max(100))
      .max(50)
      .optional()
      .describe("Command or group, such as 'files delete' or records, which replaces those before; or none"),
    approvalMinutes: z
      .int()
      .min(10)
      .max(24 * 60)
      .optional()
      .describe("Minutes that a question waits for an answer"),
  }),
  result: SettingsView,
  presentation: { as: "text", text: settingsText },
  examples: [
    {
      command: "settings set --workspace-creation administrators",
      note: "Only administrators can create workspaces",
    },
    {
      command: "settings set --approvals-for trash --approvals-for records --approval-minutes 120",
      note: "AI members ask a person before they empty the trash or change records",
    },
  ],
  keywords: ["configure", "option", "preference", "turn on", "turn off", "policy", "demand approval"],
  failures: ["conflict", "usage"],
  async run(context, given) {
    requireAdministrator(context);
    const before = await readSettings(context.transaction);
    const approvalsFor = given.approvalsFor && namesOf(context, given.approvalsFor);
    const left = merge(before, { ...given, approvalsFor, version: before.version + 1 });
    if (isSame(before, left)) {
      throw new ProblemError("conflict", "No changes to apply.", { hint: settingsText(before) });
    }
    await change(context, before, left);
    // A process of the version before, which knows fewer settings, refuses what it could not undo as a whole.
    context.recordUndo({ left: onlyChanged(left, before), before: onlyChanged(before, left) });
    const { version: _, ...settings } = left;
    return settings;
  },
  undo: {
    payload: z.object({ left: StoredView, before: StoredView }),
    async run(context, { left, before }) {
      requireAdministrator(context);
      const present = await readSettings(context.transaction);
      if (present.version !== left.version || !isSame(present, merge(present, left))) {
        throw changedMeanwhile();
      }
      // The old version, so that an earlier operation can be undone after this one.
      await change(context, present, merge(present, before));
      return { left: before, before: left };
    },
  },
});

function namesOf(context: CommandContext, given: readonly string[]): string[] {
  const names = [...new Set(given)].filter((name) => name !== "none").sort();
  requireCommands(context, names);
  const reading = names.find((name) => context.commandsNamed(name).every(({ effect }) => effect === "read"));
  if (reading === undefined) return names;
  throw new ProblemError("usage", `\`${reading}\` only reads, which needs no approval.`, {
    hint: "Name a command that changes something, or a group with one.",
  });
}

function onlyChanged(one: StoredSettings, other: StoredSettings): z.output<typeof StoredView> {
  const changed = Object.entries(one).filter(
    ([name, value]) => !isDeepStrictEqual(value, other[name as keyof StoredSettings]),
  );
  return StoredView.parse({ ...Object.fromEntries(changed), version: one.version });
}

function merge(present: StoredSettings, some: z.output<typeof StoredView>): StoredSettings {
  return {
    workspaceCreation: some.workspaceCreation ?? present.workspaceCreation,
    approvalsFor: some.approvalsFor ?? present.approvalsFor,
    approvalMinutes: some.approvalMinutes ?? present.approvalMinutes,
    version: some.version,
  };
}

function isSame({ version: _, ...one }: StoredSettings, { version: __, ...other }: StoredSettings): boolean {
  return isDeepStrictEqual(one, other);
}

async function change(context: CommandContext, from: StoredSettings, to: StoredSettings): Promise<void> {
  if (!(await saveSettings(context.transaction, to, from.version))) throw changedMeanwhile();
  const { version, ...before } = from;
  const { version: _, ...after } = to;
  context.recordChange({ action: "update", type: "settings", name: "tenant", version, before, after });
}

function changedMeanwhile(): ProblemError {
  return new ProblemError("conflict", "Somebody else changed the settings at the same time.", {
    hint: "Check with `svc settings show`, then try again.",
  });
}
