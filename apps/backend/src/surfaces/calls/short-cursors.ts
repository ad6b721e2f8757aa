import { createHash } from "node:crypto";
import { nextLine } from "@svc/command-router/arguments/next-line";
import type { Database } from "@svc/database/database";
import { ProblemError } from "@svc/protocol/problem";
import type { CommandCall } from "../../platform/commands/run-command.ts";
import { findCursor, isShortCursor, keepCursor } from "../../platform/cursors/short-cursor.ts";
import { type Caller, credentialKey } from "../../platform/identity/caller.ts";
import type { Log } from "../../platform/process/log.ts";

interface Typed {
  caller: Caller;
  call: CommandCall;
  argv: readonly string[];
  /** Whether a person reads the answer on a terminal. */
  isInteractive: boolean;
  log: Log;
}

/** The call with the cursor that a short one stands for; every other call as it is. */
export async function withWholeCursor(
  { database }: { database: Database },
  caller: Caller,
  call: CommandCall,
): Promise<CommandCall> {
  const { cursor: code, ...others } = Object(call.arguments) as Record<string, unknown>;
  if (!isShortCursor(code)) return call;
  const kept = await database.withTenant(scopeOf(caller), "read", (transaction) =>
    findCursor(transaction, { credentialId: credentialKey(caller), code }),
  );
  if (!kept) {
    throw new ProblemError("not_found", `There is no cursor \`${code}\`.`, {
      hint: "A cursor is valid for a day, for the login or token that got it. Run the line without --cursor.",
    });
  }
  if (!kept.lineHash.equals(lineHash(call))) {
    throw new ProblemError("usage", `The cursor \`${code}\` belongs to another line.`, {
      hint: "Paste the whole line that was printed with it, or run this one without --cursor.",
    });
  }
  return { ...call, arguments: { ...others, cursor: kept.cursor } };
}

/**
 * The line that shows the next page. Its cursor is written in a separate transaction, because reads are READ ONLY. If
 * that fails, the page is still worth showing: the line then has the whole cursor, and a notice says why.
 */
export async function nextPage(
  { database }: { database: Database },
  { caller, call, argv, isInteractive, log }: Typed,
  cursor: string,
): Promise<{ line: string; notices: string[] }> {
  if (!isInteractive) return { line: nextLine(argv, cursor), notices: [] };
  const code = await shortCursor({ database }, { caller, call, log }, cursor);
  if (code !== undefined) return { line: nextLine(argv, code), notices: [] };
  const notice = "The service could not store a short cursor, so the line for the next page is long.";
  return { line: nextLine(argv, cursor), notices: [notice] };
}

/** What stands for a cursor in the same call, for a day. Undefined if it could not be stored. */
export async function shortCursor(
  { database }: { database: Database },
  { caller, call, log }: Pick<Typed, "caller" | "call" | "log">,
  cursor: string,
): Promise<string | undefined> {
  const kept = { credentialId: credentialKey(caller), lineHash: lineHash(call), cursor };
  try {
    return await database.withTenant(scopeOf(caller), "write", (transaction) =>
      keepCursor(transaction, kept),
    );
  } catch (error) {
    log.warn({ err: error }, "a short cursor could not be kept");
    return undefined;
  }
}

function scopeOf({ tenant, actor }: Caller) {
  return { tenantId: tenant.id, actorId: actor.id };
}

/** A line is its command, its arguments but the cursor, and the workspace it works in. */
function lineHash({ command, arguments: args, workspace }: CommandCall): Buffer {
  const { cursor: _, ...others } = Object(args) as Record<string, unknown>;
  const sorted = Object.entries(others).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash("sha256")
    .update(JSON.stringify([command.path, sorted, workspace ?? null]))
    .digest();
}
