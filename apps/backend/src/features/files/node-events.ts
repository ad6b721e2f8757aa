import type { CommandContext } from "../../platform/commands/command-context.ts";
import type { NodeChangedEvent } from "../../platform/commands/events.ts";
import type { Node } from "./files-store.ts";

export function nodeChanged(
  context: CommandContext,
  { kind, node }: { kind: NodeChangedEvent["kind"]; node: Node },
): Promise<void> {
  return context.emit("NodeChangedEvent", {
    kind,
    nodeId: node.id,
    nodeKind: node.kind,
    workspaceId: node.workspaceId,
    contentVersion: node.contentVersion,
  });
}
