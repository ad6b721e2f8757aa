import { z } from "zod";
import type { CommandContext } from "../../../platform/commands/command-context.ts";
import type { Place } from "../tree/tree.ts";
import { measureFolders } from "../tree/usage-store.ts";
import { viewFrom } from "../tree/visible-children.ts";

export const Contents = z.object({ files: z.int(), folders: z.int(), bytes: z.int() });
export type Contents = z.output<typeof Contents>;

/** What the caller can see below a folder, counted by the database. */
export async function contentsOf(context: CommandContext, place: Place): Promise<Contents> {
  const { node, workspace } = place;
  const view = await viewFrom(context, place);
  const [all] = await measureFolders(context.transaction, node?.id ?? workspace.id, view, {
    depth: 0,
    limit: 1,
  });
  const { files = 0, folders = 0, size = 0 } = all ?? {};
  return { files, folders, bytes: size };
}
