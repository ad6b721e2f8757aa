import { encodeId } from "@svc/protocol/typed-id";
import { countWaiting } from "@svc/search/embedding-queue";
import { findShelves } from "@svc/search/shelf";
import { z } from "zod";
import { defineCommand } from "../../../platform/define-command.ts";
import { page, pageArguments, pageOf } from "../../../platform/page.ts";
import { visibilityOf } from "../../search/search.ts";
import { visibleWorkspaces } from "../../workspaces/workspaces.ts";

const Workspace = z.object({
  id: z.string(),
  name: z.string(),
  semanticSearch: z.enum(["on", "off"]),
  waiting: z.int(),
  waitingSince: z.iso.datetime().optional(),
});

export default defineCommand({
  summary: "Show what waits to be found by meaning",
  description:
    "Of each workspace that you can see: whether it is searched by meaning, and how many files await embedding.",
  category: "Search",
  effect: "read",
  scopes: ["search:read"],
  arguments: z.strictObject({ ...pageArguments }),
  result: pageOf(Workspace),
  presentation: {
    as: "table",
    columns: [
      { field: "name", label: "Workspace", priority: 9 },
      { field: "semanticSearch", label: "By meaning", priority: 8 },
      { field: "waiting", label: "Files waiting", priority: 7 },
      { field: "waitingSince", label: "Since", priority: 4 },
    ],
    empty: "You are in no workspace yet. Make one: svc workspaces create <name>",
  },
  examples: [{ command: "embeddings status", note: "What a search by meaning does not know yet" }],
  failures: [],
  async run(context, { limit, cursor }) {
    const { transaction } = context;
    const workspaces = await visibleWorkspaces(context, {
      limit: limit + 1,
      ...(cursor === undefined ? {} : { after: cursor }),
    });
    const { all: shelves } = await findShelves(transaction, { hold: false });
    const waiting = await countWaiting(transaction, { shelves, visibility: await visibilityOf(context) });
    return page(
      workspaces,
      limit,
      ({ id, name, semanticSearchEnabled }) => {
        const { files = 0, since } = waiting.get(id) ?? {};
        return {
          id: encodeId("workspace", id),
          name,
          semanticSearch: semanticSearchEnabled ? ("on" as const) : ("off" as const),
          waiting: files,
          ...(since ? { waitingSince: since.toISOString() } : {}),
        };
      },
      ({ slug }) => slug,
    );
  },
});
