import { ProblemError } from "@svc/protocol/problem";
import { z } from "zod";
import { defineCommand } from "../../../platform/define-command.ts";
import { OperationId, operationView, requireOperation } from "../operations.ts";
import { markUndone } from "../operations-store.ts";

export default defineCommand({
  summary: "Undo an operation",
  description: "Refused where what it changed has been changed again since.",
  category: "History",
  effect: "write",
  scopes: ["operations:write"],
  arguments: z.strictObject({ operation: OperationId }),
  positionals: ["operation"],
  result: z.object({ id: z.string(), command: z.string(), summary: z.string() }),
  presentation: { as: "text", text: ({ summary }) => `Undone: ${summary}` },
  examples: [
    { command: "operations undo op_01h455vb4pex5vsknk084sn02q", note: "Brings back what it deleted" },
  ],
  failures: ["not_found", "conflict"],
  async run(context, { operation: target }) {
    const operation = await requireOperation(context, target, "lock");
    if (operation.undoneAt !== null) throw new ProblemError("conflict", "This operation was undone already.");
    if (operation.undoPayload === null) {
      throw new ProblemError("conflict", `\`${operation.command}\` is not something that can be undone.`);
    }
    await context.undo(operation.command, operation.undoPayload);
    await markUndone(context.transaction, operation.id, context.now);
    const { id, command, summary } = operationView(operation);
    return { id, command, summary };
  },
});
