import { z } from "zod";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { pageArguments, pageOf, pageView, readPage } from "../../../platform/commands/page.ts";
import { TokenView, tokenView } from "../tokens.ts";
import { listCredentials } from "../tokens-store.ts";

export default defineCommand({
  summary: "List active tokens, without their secrets",
  description: "Administrators see all tokens of the tenant; others see their own.",
  category: "Account",
  effect: "read",
  agents: "never",
  reach: "inside",
  scopes: ["tokens:read"],
  arguments: z.strictObject({
    ...pageArguments,
    cursor: z.uuid().optional().describe("Where to continue, from `nextCursor` of the previous page"),
  }),
  lists: "token",
  result: pageOf(TokenView),
  presentation: {
    as: "table",
    columns: [
      { field: "name", label: "Name", priority: 9 },
      { field: "id", label: "Id", priority: 6, as: "id" },
      { field: "scopes", label: "Scopes", priority: 4 },
      { field: "expiresAt", label: "Expires", priority: 7, as: "time" },
      { field: "lastUsedAt", label: "Last used", priority: 5, as: "time" },
      { field: "account", label: "Account", priority: 3, as: "id" },
      { field: "networks", label: "Networks", priority: 2 },
    ],
    empty: "No tokens to show.",
  },
  examples: [{ command: "tokens list", note: "Shows each account, expiry and last use" }],
  keywords: ["api keys", "credentials", "service accounts"],
  failures: [],
  async run({ transaction, actor }, { limit, cursor }) {
    const page = await readPage(limit, (most) =>
      listCredentials(transaction, {
        limit: most,
        account: actor.isAdministrator ? undefined : actor.id,
        after: cursor,
      }),
    );
    return pageView(page, tokenView, ({ id }) => id);
  },
});
