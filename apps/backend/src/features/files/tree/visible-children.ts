import { type RawBuilder, sql } from "kysely";
import type { CommandContext } from "../../../platform/commands/command-context.ts";
import { type ChildFilter, inScopes, visible } from "../files-store.ts";
import { leadingFolders, type Place, scopeOf } from "./tree.ts";

/** What the caller can see from a folder downwards. */
export interface View extends ChildFilter {
  /** They cannot read the folder itself. */
  passesThroughRoot: boolean;
}

export async function viewFrom(context: CommandContext, place: Place): Promise<View> {
  const { rights } = place;
  return {
    readable: rights.readable,
    leading: await leadingFolders(context, rights),
    passesThroughRoot: rights.roleIn(scopeOf(place)) === undefined,
  };
}

/**
 * SQL for statements that go from folder to folder and see in each what the caller can see. In a folder that they can
 * only pass through, that is what was shared with them and what leads there, found by id: reading the folder would take
 * longer the more it hides. In a folder that they can read, every hidden child has its own access list, and those are
 * read for every command anyway.
 */
export class VisibleChildren {
  /** For a with clause: what the caller can see in folders that they cannot read. */
  readonly ledTo: RawBuilder<unknown>;
  /** Whether the caller can read a `node`, and not only pass through it. */
  readonly isReadable: RawBuilder<boolean>;
  readonly #tenantId: string;
  readonly #isVisible: RawBuilder<boolean>;

  constructor(tenantId: string, { readable, leading }: ChildFilter) {
    this.#tenantId = tenantId;
    this.isReadable = inScopes(readable);
    // guard: walking-visible-only
    this.#isVisible = visible(readable, leading);
    this.ledTo = sql`led_to as materialized (
      select node.* from app.node as node
      where node.tenant_id = ${tenantId} and node.id = any(${[...leading]}::uuid[]) and node.trashed_at is null)`;
  }

  /** `what` of each child `node` of a row with `folder` and `is_readable`; `rest` is a condition, perhaps order and limit. */
  of(parent: string, what: RawBuilder<unknown>, rest: RawBuilder<unknown>): RawBuilder<unknown> {
    const [folder, isReadable] = [sql.ref(`${parent}.folder`), sql.ref(`${parent}.is_readable`)];
    return sql`
      (select ${what} from app.node as node
       where ${isReadable} and node.tenant_id = ${this.#tenantId} and node.parent_id = ${folder}
         and node.trashed_at is null and ${this.#isVisible} and ${rest})
      union all
      (select ${what} from led_to as node where not ${isReadable} and node.parent_id = ${folder} and ${rest})`;
  }
}

/** Written as the index `node_in_folder` has it, so that a folder's files are not read to find its folders. */
export const isFolder = sql<boolean>`(node.kind <> 'folder') is false`;
export const isFile = sql<boolean>`(node.kind <> 'folder') is true`;
