import type { CommandContext } from "../../../platform/commands/command-context.ts";
import type { Place } from "./tree.ts";

type Prefixed = Pick<Place, "prefix">;

interface WithPaths {
  path?: string;
  from?: string;
  items?: { path: string }[];
}

/**
 * The result for programs. People read its paths with their workspaces, if those are not the call's. What a command
 * changes is in the workspace of `path` and `items`; `from` may be in another.
 */
export function showAddresses<Result extends WithPaths>(
  context: CommandContext,
  result: Result,
  { path: at, from = at }: { path: Prefixed; from?: Prefixed },
): Result {
  if (!context.isForPeople || (at.prefix === "" && from.prefix === "")) return result;
  const data = {
    ...result,
    ...(result.path === undefined ? {} : { path: `${at.prefix}${result.path}` }),
    ...(result.from === undefined ? {} : { from: `${from.prefix}${result.from}` }),
    ...(result.items
      ? { items: result.items.map((item) => ({ ...item, path: `${at.prefix}${item.path}` })) }
      : {}),
  };
  context.showPeople({ data, prefix: at.prefix });
  return result;
}
