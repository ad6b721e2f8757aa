import type { CommandContext } from "../../../../platform/commands/command-context.ts";

interface Located {
  path?: string | undefined;
  address?: string | undefined;
  workspace?: { id: string; slug: string; name: string } | undefined;
}

/** The result for programs. For people, the path or collection of a hit in another workspace names that workspace. */
export function showAddresses<Result extends { items: Located[] }>(
  context: CommandContext,
  result: Result,
): Result {
  if (!context.isForPeople || result.items.length === 0) return result;
  const items = result.items.map((item) =>
    item.path === undefined || item.address === undefined || isOfCall(context, item)
      ? item
      : { ...item, path: item.address },
  );
  context.showPeople({ data: { ...result, items }, prefix: "" });
  return result;
}

/** Two workspaces may have its slug: then only its id says that it is this one. */
function isOfCall({ workspace: ofCall }: CommandContext, { address = "", workspace }: Located): boolean {
  if (ofCall === undefined || !workspace) return false;
  const { id, slug, name } = workspace;
  return ofCall === id || (address.startsWith(`${slug}:`) && [slug, name].includes(ofCall));
}
