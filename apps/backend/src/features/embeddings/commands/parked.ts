import { decodeId, encodeId } from "@svc/protocol/typed-id";
import { z } from "zod";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { pageArguments, pageOf, pageView, readPage } from "../../../platform/commands/page.ts";
import { requireAdministrator } from "../../../platform/commands/require-administrator.ts";
import { listParked } from "../parked-store.ts";

const Parked = z.object({
  id: z.string(),
  workspaceId: z.string(),
  name: z.string(),
  failure: z.string(),
  attempts: z.int(),
});

export default defineCommand({
  summary: "List files that could not be embedded, and why",
  description:
    "Content that a model keeps refusing is parked, so that it is not paid for forever. It is retried " +
    "when it changes, or with `embeddings retry`.",
  category: "Search",
  effect: "read",
  agents: "searchable",
  reach: "inside",
  scopes: ["search:read"],
  arguments: z.strictObject({ ...pageArguments }),
  result: pageOf(Parked),
  presentation: {
    as: "table",
    columns: [
      { field: "name", label: "File", priority: 9 },
      { field: "failure", label: "Why", priority: 8 },
      { field: "attempts", label: "Attempts", priority: 4, as: "count" },
      { field: "id", label: "Id", priority: 6 },
    ],
    empty: "No parked files.",
  },
  examples: [{ command: "embeddings parked", note: "Files that semantic search cannot find" }],
  keywords: ["failed", "errors", "not embedded", "stuck"],
  failures: [],
  async run(context, { limit, cursor }) {
    requireAdministrator(context);
    const after = cursor === undefined ? undefined : decodeId(cursor, "file");
    const page = await readPage(limit, (most) =>
      listParked(context.transaction, {
        limit: most,
        after,
      }),
    );
    return pageView(
      page,
      ({ id, workspaceId, name, failure, attempts }) => ({
        id: encodeId("file", id),
        workspaceId: encodeId("workspace", workspaceId),
        name,
        failure: failure ?? "unknown",
        attempts,
      }),
      ({ id }) => encodeId("file", id),
    );
  },
});
