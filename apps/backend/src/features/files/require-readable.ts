import type { FileVersion } from "@svc/command-router/command";
import { ProblemError } from "@svc/protocol/problem";
import { decodeId } from "@svc/protocol/typed-id";
import type { CommandContext } from "../../platform/commands/command-context.ts";
import { rightsIn } from "../access/access.ts";
import { findWorkspaceOf } from "../workspaces/workspaces.ts";
import { type Node, walkUpFromAll } from "./files-store.ts";
import { countShown } from "./versions-store.ts";

/**
 * Whether the caller can see these versions of files now. Refuses all of them because of one, and does not say which. As
 * many statements for a thousand files as for one, if they are in the same workspace.
 */
export async function requireReadable(context: CommandContext, files: readonly FileVersion[]): Promise<void> {
  const versions = files.map(({ id, version, sha256 }) => {
    const nodeId = decodeId(id, "file");
    if (nodeId === undefined) throw notFound(files);
    return { nodeId, version, sha256 };
  });
  const ids = new Set(versions.map(({ nodeId }) => nodeId));
  const nodes = new Map(
    (await walkUpFromAll(context.transaction, [...ids])).map((node) => [node.id, node] as const),
  );
  for (const id of ids) {
    if (!(await isReadable(context, nodes, id))) throw notFound(files);
  }
  // guard: shown-versions-only
  if ((await countShown(context.transaction, versions)) < versions.length) throw notFound(files);
}

/** What is asked about a workspace is asked once for all its files. */
async function isReadable(
  context: CommandContext,
  nodes: ReadonlyMap<string, Node>,
  id: string,
): Promise<boolean> {
  const node = nodes.get(id);
  if (!node) return false;
  for (let above: Node | undefined = node; above; above = nodes.get(above.parentId)) {
    // guard: nothing-downloaded-from-trash
    if (above.trashedAt !== null) return false;
  }
  if (!(await findWorkspaceOf(context, node))) return false;
  const rights = await rightsIn(context, node.workspaceId);
  // guard: downloading-readable-only
  return rights.roleIn(node.scopeId) !== undefined;
}

function notFound(files: readonly FileVersion[]): ProblemError {
  const which = files.length === 1 ? "This file does" : "One of these files does";
  return new ProblemError("not_found", `${which} not exist, or you do not have access to it.`, {
    hint: "Run the command again to download what you have access to now.",
  });
}
