import { z } from "zod";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { pageArguments, pageOf, pageView, readPage } from "../../../platform/commands/page.ts";
import { listSessions } from "../../../platform/identity/sessions-store.ts";
import { SessionView, sessionView } from "../sessions.ts";

export default defineCommand({
  summary: "List open sessions of AI members",
  description: "Your own, newest first. Administrators see all sessions of the tenant.",
  category: "Agents",
  effect: "read",
  agents: "never",
  reach: "inside",
  scopes: ["sessions:read"],
  arguments: z.strictObject({
    ...pageArguments,
    cursor: z.uuid().optional().describe("Where to continue, from `nextCursor` of the previous page"),
  }),
  result: pageOf(SessionView),
  presentation: {
    as: "table",
    columns: [
      { field: "id", label: "Id", priority: 9, as: "id" },
      { field: "member", label: "Member", priority: 8 },
      { field: "onBehalfOf", label: "For", priority: 6 },
      { field: "commands", label: "Commands", priority: 4 },
      { field: "expiresAt", label: "Until", priority: 7, as: "time" },
      { field: "workspaceId", label: "Workspace", priority: 3, as: "id" },
    ],
    empty: "No session is open.",
  },
  examples: [{ command: "sessions list", note: "Which agents work for you now" }],
  keywords: ["running agents", "active agents", "who works for me"],
  failures: [],
  async run({ transaction, actor }, { limit, cursor }) {
    const person = actor.isAdministrator ? undefined : actor.id;
    const page = await readPage(limit, (most) =>
      listSessions(transaction, { person, before: cursor, limit: most }),
    );
    return pageView(page, sessionView, ({ id }) => id);
  },
});
