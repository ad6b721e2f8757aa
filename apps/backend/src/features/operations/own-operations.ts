import { missingScopes } from "@svc/command-router/require-may-run";
import { ProblemError } from "@svc/protocol/problem";
import { encodeId } from "@svc/protocol/typed-id";
import { toTerminalLine } from "@svc/rendering/terminal-text";
import type { CommandContext } from "../../platform/commands/command-context.ts";
import { shortestEnd, storedEnd } from "../../platform/jobs/operation-end.ts";
import { operationView } from "./operation-view.ts";
import {
  idsByEnds,
  latestToUndo,
  listOperations,
  type Operation,
  operationsByEnd,
  type Whose,
} from "./operations-store.ts";

const mostListed = 5;
const recentMillis = 24 * 60 * 60 * 1_000;

/** A session has only its own: the same AI member may act for somebody else, who sees other things. */
export function ownOperations({ actor, madeWith }: CommandContext): Whose {
  // guard: sessions-have-their-own-operations
  return actor.onBehalfOf ? { actor: actor.id, madeWith } : { actor: actor.id };
}

/** Those that the caller can list: everybody's, if the caller is an administrator. */
export function visibleOperations(context: CommandContext): Whose {
  // guard: own-operations-only
  return context.actor.isAdministrator ? {} : ownOperations(context);
}

/**
 * The operations that a caller can name by less than their id. Without `operations:read` only those of the credential
 * itself: it could not list the others, so it must not find them by guessing.
 */
function withinReach(context: CommandContext): Whose {
  const { actor, caller, madeWith } = context;
  const canList = missingScopes(["operations:read"], caller.scopes).length === 0;
  // guard: ends-need-the-scope-to-list
  return canList ? ownOperations(context) : { actor: actor.id, madeWith };
}

/** By the end of its id, as people type it; undefined if none of the caller's ends like that. */
export async function findByEnd(context: CommandContext, typed: string): Promise<string | undefined> {
  const end = storedEnd(typed);
  if (end === undefined) return undefined;
  const alike = await operationsByEnd(context.transaction, withinReach(context), end);
  const matching = alike.filter(({ id }) => encodeId("operation", id).endsWith(typed));
  if (matching.length < 2) return matching[0]?.id;
  const ids = matching.map(({ id }) => encodeId("operation", id));
  const lines = matching
    .slice(0, mostListed)
    .map((operation) => line(shortestEnd(encodeId("operation", operation.id), ids), operation));
  throw new ProblemError("conflict", `${matching.length} of your operations end with \`${typed}\`.`, {
    hint: ["Type more of the id:", ...lines].join("\n"),
  });
}

/** The id that bare `svc undo` means: never what another credential did, even of the same person. */
export async function requireLatest(context: CommandContext): Promise<string> {
  const { transaction, actor, madeWith } = context;
  const since = new Date(transaction.now.getTime() - recentMillis);
  // guard: bare-undo-is-of-this-credential
  const latest = await latestToUndo(transaction, { actor: actor.id, madeWith }, since);
  if (latest !== undefined) return encodeId("operation", latest);
  const listed = await latestLines(context);
  throw new ProblemError(
    "not_found",
    "In the last 24 hours, this credential did nothing that can be undone.",
    {
      hint:
        listed.length === 0
          ? "You have no operations."
          : ["Your latest operations, to undo by their id:", ...listed].join("\n"),
    },
  );
}

async function latestLines(context: CommandContext): Promise<string[]> {
  const { transaction } = context;
  const whose = withinReach(context);
  const operations = await listOperations(transaction, { ...whose, limit: mostListed });
  const ends = await endsOf(context, whose, operations);
  return operations.map((operation) => line(ends.get(operation.id) ?? "", operation));
}

/** As much of each id as its owner needs to type. */
export async function endsOf(
  { transaction }: CommandContext,
  whose: Whose,
  operations: readonly Pick<Operation, "id">[],
): Promise<ReadonlyMap<string, string>> {
  const ids = operations.map(({ id }) => id);
  const known = (await idsByEnds(transaction, whose, ids)).map((id) => encodeId("operation", id));
  return new Map(
    ids.map((id) => {
      const whole = encodeId("operation", id);
      // Those from before ends were stored are not found by one.
      return [id, known.includes(whole) ? shortestEnd(whole, known) : whole];
    }),
  );
}

function line(end: string, operation: Operation): string {
  const { summary, state, createdAt } = operationView(operation);
  return `  ${end}  ${toTerminalLine(summary)} (${createdAt.slice(0, 16).replace("T", " ")}Z, ${state})`;
}
