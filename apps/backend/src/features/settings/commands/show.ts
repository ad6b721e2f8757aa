import { z } from "zod";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { requireAdministrator } from "../../../platform/commands/require-administrator.ts";
import { readSettings, SettingsView, settingsText } from "../settings.ts";

export default defineCommand({
  summary: "Show the settings of the tenant",
  category: "Account",
  effect: "read",
  agents: "searchable",
  reach: "inside",
  scopes: ["settings:read"],
  arguments: z.strictObject({}),
  result: SettingsView,
  presentation: { as: "text", text: settingsText },
  examples: [
    { command: "settings show", note: "Who can create workspaces, and what AI members ask people for" },
  ],
  keywords: ["configuration", "options", "preferences", "configured", "rules of the company", "limits"],
  failures: [],
  async run(context) {
    requireAdministrator(context);
    const { version: _, ...settings } = await readSettings(context.transaction);
    return settings;
  },
});
