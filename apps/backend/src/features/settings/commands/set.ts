import { ProblemError } from "@svc/protocol/problem";
import { z } from "zod";
import type { CommandContext } from "../../../platform/commands/command-context.ts";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { requireAdministrator } from "../../../platform/commands/require-administrator.ts";
import { readSettings, SettingsView, settingsText, WorkspaceCreation } from "../settings.ts";
import { type StoredSettings, saveSettings } from "../settings-store.ts";

const StoredView = SettingsView.extend({ version: z.int() });

export default defineCommand({
  summary: "Change a setting of the tenant",
  category: "Account",
  effect: "write",
  agents: "never",
  reach: "outward",
  scopes: ["settings:write"],
  arguments: z.strictObject({ workspaceCreation: WorkspaceCreation }),
  result: SettingsView,
  presentation: { as: "text", text: settingsText },
  examples: [
    {
      command: "settings set --workspace-creation administrators",
      note: "Only administrators can create workspaces",
    },
  ],
  keywords: ["configure", "option", "preference", "turn on", "turn off"],
  failures: ["conflict"],
  async run(context, { workspaceCreation }) {
    requireAdministrator(context);
    const before = await readSettings(context.transaction);
    if (before.workspaceCreation === workspaceCreation) {
      throw new ProblemError("conflict", "No changes to apply.", { hint: settingsText(before) });
    }
    const left = { workspaceCreation, version: before.version + 1 };
    await change(context, before, left);
    context.recordUndo({ left, before });
    return { workspaceCreation };
  },
  undo: {
    payload: z.object({ left: StoredView, before: StoredView }),
    async run(context, { left, before }) {
      requireAdministrator(context);
      const present = await readSettings(context.transaction);
      const isAsLeft =
        present.version === left.version && present.workspaceCreation === left.workspaceCreation;
      if (!isAsLeft) throw changedMeanwhile();
      // The old version, so that an earlier operation can be undone after this one.
      await change(context, present, before);
      return { left: before, before: left };
    },
  },
});

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
