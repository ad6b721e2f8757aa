import { z } from "zod";
import { defineCommand } from "../../../platform/define-command.ts";
import { OperationId, OperationView, operationView, requireOperation } from "../operations.ts";

export default defineCommand({
  summary: "Show one operation with each of its changes",
  category: "History",
  effect: "read",
  scopes: ["operations:read"],
  arguments: z.strictObject({ operation: OperationId }),
  positionals: ["operation"],
  result: OperationView,
  presentation: {
    as: "text",
    text: ({ id, command, actor, state, createdAt, changes }) =>
      [
        `${id} (${state})`,
        `Command  ${command}`,
        `Who      ${actor}`,
        `When     ${createdAt}`,
        ...changes.map(
          ({ action, type, name, before, after }) =>
            `Change   ${action} ${type} ${name}${before ? ` from ${JSON.stringify(before)}` : ""}${after ? ` to ${JSON.stringify(after)}` : ""}`,
        ),
      ].join("\n"),
  },
  examples: [
    { command: "operations show op_01h455vb4pex5vsknk084sn02q", note: "What it changed, from what to what" },
  ],
  failures: ["not_found"],
  async run(context, { operation }) {
    return operationView(await requireOperation(context, operation, "look"));
  },
});
