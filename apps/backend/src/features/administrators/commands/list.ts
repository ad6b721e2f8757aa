import { z } from "zod";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { pageArguments, pageOf, pageView, readPage } from "../../../platform/commands/page.ts";
import { requireAdministrator } from "../../../platform/commands/require-administrator.ts";
import { AccountState, AccountView, accountState, accountView } from "../../members/members.ts";
import { listAdministrators } from "../administrators-store.ts";

export default defineCommand({
  summary: "List the administrators of the tenant",
  description: "Administrators count as owners of every workspace. Only they can see this list.",
  category: "Account",
  effect: "read",
  agents: "searchable",
  reach: "inside",
  scopes: ["administrators:read"],
  arguments: z.strictObject({
    ...pageArguments,
    cursor: z.uuid().optional().describe("Where to continue, from `nextCursor` of the previous page"),
  }),
  lists: "administrator",
  result: pageOf(AccountView.extend({ state: AccountState })),
  presentation: {
    as: "table",
    columns: [
      { field: "name", label: "Name", priority: 9 },
      { field: "email", label: "E-mail", priority: 6 },
      { field: "kind", label: "Kind", priority: 5 },
      { field: "state", label: "State", priority: 4 },
      { field: "id", label: "Id", priority: 3, as: "id" },
    ],
    empty: "The tenant has no administrators.",
  },
  examples: [{ command: "administrators list", note: "People and service accounts" }],
  keywords: ["admins", "who is admin", "superusers", "who runs this", "who manages"],
  failures: [],
  async run(context, { limit, cursor }) {
    requireAdministrator(context);
    const page = await readPage(limit, (most) =>
      listAdministrators(context.transaction, {
        limit: most,
        after: cursor,
      }),
    );
    const toItem = (account: (typeof page.rows)[number]) => ({
      ...accountView(account),
      state: accountState(account),
    });
    return pageView(page, toItem, ({ id }) => id);
  },
});
