import { decodeId } from "@svc/protocol/typed-id";
import type { CommandContext } from "../../../../platform/commands/command-context.ts";
import { prefixesOf } from "../../../workspaces/workspaces.ts";

interface Located {
  workspaceId: string;
  path?: string;
}

/** The result for programs. For people, the path or collection of a hit in another workspace names that workspace. */
export async function showAddresses<Result extends { items: Located[] }>(
  context: CommandContext,
  result: Result,
): Promise<Result> {
  const ids = new Set(result.items.flatMap(({ workspaceId }) => decodeId(workspaceId, "workspace") ?? []));
  if (!context.isForPeople || ids.size === 0) return result;
  const prefixes = await prefixesOf(context, [...ids]);
  const items = result.items.map((item) => {
    const prefix = prefixes.get(decodeId(item.workspaceId, "workspace") ?? "") ?? "";
    return item.path === undefined ? item : { ...item, path: `${prefix}${item.path}` };
  });
  context.showPeople({ data: { ...result, items }, prefix: "" });
  return result;
}
