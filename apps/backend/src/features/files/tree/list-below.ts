import { type RawBuilder, sql } from "kysely";
import type { CommandContext } from "../../../platform/commands/command-context.ts";
import { type Node, nodeColumns, walkDown } from "../files-store.ts";
import type { Place } from "./tree.ts";
import { type View, viewFrom } from "./visible-children.ts";
import { maxDepth, namesBelow, type Position, walkInPathOrder } from "./walk-store.ts";

interface PageOptions {
  after?: readonly string[] | undefined;
  limit: number;
  matches?: RawBuilder<boolean>;
}

/** A page of everything below a folder that the caller can see, in the order of paths; `names` leads to each from there. */
export function listBelow(
  context: CommandContext,
  place: Place,
  options: PageOptions,
): Promise<(Node & { names: string[] })[]> {
  return listColumnsBelow(context, place, withNames, options);
}

const withNames = sql<Node & { names: string[] }>`${nodeColumns}, ${namesBelow} as names`;

/** The same with some columns of each `node`: reading all of them takes three times as long. */
export async function listColumnsBelow<Row>(
  context: CommandContext,
  place: Place,
  columns: RawBuilder<Row>,
  { after = [], limit, matches = sql<boolean>`true` }: PageOptions,
): Promise<Row[]> {
  const view = await viewFrom(context, place);
  const position = await positionAfter(context, place, view, after);
  return walkInPathOrder(context.transaction, position, view, { columns, matches, limit });
}

/** If something on the way has been moved or deleted, or is hidden, the walk goes on after its name. */
async function positionAfter(
  { transaction }: CommandContext,
  { node, workspace, rights }: Place,
  { leading }: View,
  path: readonly string[],
): Promise<Position> {
  const rootId = node?.id ?? workspace.id;
  const chain = await walkDown(transaction, rootId, path.slice(0, maxDepth - 1));
  const end = chain.findIndex(
    ({ id, kind, scopeId }) => kind === "file" || (rights.roleIn(scopeId) === undefined && !leading.has(id)),
  );
  const entered = end === -1 ? chain : chain.slice(0, end);
  return {
    folders: [rootId, ...entered.map(({ id }) => id)],
    names: entered.map(({ name }) => name),
    after: path[entered.length] ?? "",
  };
}
