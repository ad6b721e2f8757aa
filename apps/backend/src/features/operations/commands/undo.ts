import { ProblemError } from "@svc/protocol/problem";
import { z } from "zod";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { operationView } from "../operation-view.ts";
import { OperationId, requireOperation } from "../operations.ts";
import { markUndone, undoPath } from "../operations-store.ts";
import { requireLatest } from "../own-operations.ts";

const UndoPayload = z.object({
  command: z.string(),
  payload: z.unknown(),
  /** An undo of an undo: it has done the work of the command again. */
  redoes: z.boolean().default(false),
});

export default defineCommand({
  summary: "Take back what you did last, or another operation",
  description:
    "Without an id, takes your latest operation by this credential in the last 24 hours that is not an undo. Refused if something was changed again since, or if it would remove what somebody else has added or changed. " +
    "--dry-run lists what would change. An undo can itself be undone.",
  category: "History",
  aliases: ["undo"],
  effect: "write",
  agents: "listed",
  reach: "inside",
  scopes: ["operations:write"],
  arguments: z.strictObject({ operation: OperationId.optional() }),
  positionals: ["operation"],
  result: z.object({
    id: z.string(),
    command: z.string(),
    summary: z.string(),
    redone: z.boolean().describe("Whether it was itself an undo, so that its work is done again"),
  }),
  presentation: {
    as: "text",
    text: ({ summary }) => `Undone: ${summary}`,
    undoWord: ({ redone }) => (redone ? "Undo" : "Redo"),
  },
  examples: [
    { command: "undo", note: "Takes back what you did last" },
    { command: "undo sn02q", note: "Undoes the operation whose id ends like that" },
    { command: "operations undo op_01h455vb4pex5vsknk084sn02q --dry-run", note: "Lists what would change" },
  ],
  keywords: ["revert", "roll back", "take back", "redo", "oops"],
  failures: ["not_found", "conflict"],
  async run(context, { operation: target }) {
    const operation = await requireOperation(context, target ?? (await requireLatest(context)), "lock");
    const { id, command, summary } = operationView(operation);
    context.resolveArgument("operation", id);
    if (operation.undoneAt !== null)
      throw new ProblemError("conflict", "This operation has already been undone.");
    if (operation.undoPayload === null) {
      throw new ProblemError("conflict", `\`${operation.command}\` cannot be undone.`);
    }
    const redo = await context.undo(operation.command, operation.undoPayload, operation);
    await markUndone(context.transaction, operation.id, context.now);
    // The payload of an undo of an undo already names the first command.
    const recorded =
      operation.command === undoPath
        ? UndoPayload.parse(redo)
        : { command: operation.command, payload: redo, redoes: false };
    context.recordUndo(recorded);
    return { id, command, summary, redone: recorded.redoes };
  },
  undo: {
    payload: UndoPayload,
    async run(context, { command, payload, redoes }, operation) {
      return { command, payload: await context.undo(command, payload, operation), redoes: !redoes };
    },
  },
});
