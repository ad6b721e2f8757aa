import { naming } from "@svc/command-router/arguments/value-kind";
import { pointTo } from "@svc/protocol/next";
import { ProblemError } from "@svc/protocol/problem";
import { decodeId } from "@svc/protocol/typed-id";
import { z } from "zod";
import type { CommandContext } from "../../platform/commands/command-context.ts";
import { findOperation, type Operation } from "./operations-store.ts";
import { findByEnd, visibleOperations } from "./own-operations.ts";

export const OperationId = z
  .string()
  .min(1)
  .max(100)
  .meta(naming("operation"))
  .describe("Id of the operation, op_…, or its last four or more characters");

/** The caller's own operation, or anybody's if the caller is an administrator. */
export async function requireOperation(
  context: CommandContext,
  target: string,
  lock: "lock" | "look",
): Promise<Operation> {
  const { transaction } = context;
  const id = decodeId(target, "operation") ?? (await findByEnd(context, target));
  const whose = visibleOperations(context);
  const found = id === undefined ? undefined : await findOperation(transaction, whose, id, lock);
  if (found) return found;
  throw new ProblemError("not_found", `There is no operation \`${target}\`, or it is not yours.`, {
    ...pointTo({ command: "operations list" }, "to see yours, newest first."),
  });
}
