import { encodeId } from "@svc/protocol/typed-id";
import { sql } from "kysely";
import { z } from "zod";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { pageArguments, pageOf, pageView, readPage } from "../../../platform/commands/page.ts";
import { isKnown } from "../../access/access.ts";
import { listGroups } from "../groups-store.ts";

export default defineCommand({
  summary: "List groups",
  description:
    "Lists groups you are in and groups on an access list that you can read. Administrators see all groups.",
  category: "Access",
  effect: "read",
  agents: "searchable",
  reach: "inside",
  scopes: ["groups:read"],
  arguments: z.strictObject({
    ...pageArguments,
    cursor: z.uuid().optional().describe("Where to continue, from `nextCursor` of the previous page"),
  }),
  lists: "group",
  result: pageOf(z.object({ id: z.string(), name: z.string(), members: z.int() })),
  presentation: {
    as: "table",
    columns: [
      { field: "name", label: "Name", priority: 9 },
      { field: "members", label: "Members", align: "right", priority: 7, as: "count" },
      { field: "id", label: "Id", priority: 3, as: "id" },
    ],
    empty: "No groups to show.",
  },
  examples: [{ command: "groups list", note: "The groups you can see" }],
  keywords: ["teams", "which groups"],
  failures: ["usage"],
  async run(context, { limit, cursor }) {
    // guard: known-groups-only
    const isVisible = await isKnown(context, sql.ref("principal.id"));
    const page = await readPage(limit, (most) =>
      listGroups(context.transaction, {
        isVisible,
        limit: most,
        after: cursor,
      }),
    );
    return pageView(
      page,
      ({ id, name, members }) => ({ id: encodeId("group", id), name, members }),
      ({ id }) => id,
    );
  },
});
