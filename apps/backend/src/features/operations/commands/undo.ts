import { ProblemError } from "@svc/protocol/problem";
import { z } from "zod";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { OperationId, operationView, requireOperation } from "../operations.ts";
import { markUndone } from "../operations-store.ts";

const undoPath = "operations undo";

export default defineCommand({
  summary: "Undo an operation",
  description:
    "Refused if something was changed again since, or if it would remove what somebody else has added or changed. " +
    "--dry-run lists what would change. An undo can itself be undone.",
  category: "History",
  aliases: ["undo"],
  effect: "write",
  scopes: ["operations:write"],
  arguments: z.strictObject({ operation: OperationId }),
  positionals: ["operation"],
  result: z.object({ id: z.string(), command: z.string(), summary: z.string() }),
  presentation: { as: "text", text: ({ summary }) => `Undone: ${summary}` },
  examples: [
    { command: "operations undo op_01h455vb4pex5vsknk084sn02q", note: "Restores what it deleted" },
    { command: "operations undo op_01h455vb4pex5vsknk084sn02q --dry-run", note: "Lists what would change" },
  ],
  failures: ["not_found", "conflict"],
  async run(context, { operation: target }) {
    const operation = await requireOperation(context, target, "lock");
    if (operation.undoneAt !== null)
      throw new ProblemError("conflict", "This operation has already been undone.");
    if (operation.undoPayload === null) {
      throw new ProblemError("conflict", `\`${operation.command}\` cannot be undone.`);
    }
    const redo = await context.undo(operation.command, operation.undoPayload, operation);
    await markUndone(context.transaction, operation.id, context.now);
    // The payload of an undo of an undo already names the first command.
    context.recordUndo(operation.command === undoPath ? redo : { command: operation.command, payload: redo });
    const { id, command, summary } = operationView(operation);
    return { id, command, summary };
  },
  undo: {
    payload: z.object({ command: z.string(), payload: z.unknown() }),
    async run(context, { command, payload }, operation) {
      return { command, payload: await context.undo(command, payload, operation) };
    },
  },
});
