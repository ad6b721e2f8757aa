import { setTimeout as sleep } from "node:timers/promises";
import { WaitFirst } from "@svc/command-router/wait-first";
import { Change } from "@svc/protocol/exchange";
import { exactTimeIn } from "@svc/rendering/view";
import { z } from "zod";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { OperationView, operationView } from "../operation-view.ts";
import { OperationId, requireOperation } from "../operations.ts";
import { changesOf } from "../operations-store.ts";

const lookEveryMillis = 1_000;

export default defineCommand({
  summary: "Show one operation with each of its changes",
  description:
    "With --follow, reports the progress of background work until it ends. If you stop " +
    "following, the work continues.",
  category: "History",
  effect: "read",
  agents: "searchable",
  reach: "inside",
  scopes: ["operations:read"],
  arguments: z.strictObject({
    operation: OperationId,
    follow: z.boolean().default(false).describe("Show progress until its work has ended"),
  }),
  positionals: ["operation"],
  shows: "operation",
  result: OperationView.extend({ changes: z.array(Change) }),
  presentation: {
    as: "text",
    text: ({ id, command, actor, state, createdAt, changes, progress }, view) =>
      [
        `${id} (${state})`,
        `Command  ${command}`,
        `Who      ${actor}`,
        `When     ${exactTimeIn(view, createdAt)}`,
        ...(progress ? [`Done     ${progress.done} of ${progress.total} ${progress.unit}`] : []),
        ...(progress?.note === undefined ? [] : [`Note     ${progress.note}`]),
        ...changes.map(
          ({ action, type, name, before, after }) =>
            `Change   ${action} ${type} ${name}${before ? ` from ${JSON.stringify(before)}` : ""}${after ? ` to ${JSON.stringify(after)}` : ""}`,
        ),
      ].join("\n"),
  },
  examples: [
    {
      command: "operations show op_01h455vb4pex5vsknk084sn02q",
      note: "Its changes, with old and new values",
    },
    {
      command: "operations show op_01h455vb4pex5vsknk084sn02q --follow",
      note: "Shows progress until its work has ended",
    },
  ],
  keywords: ["details of change", "progress", "what changed", "job", "finished yet", "is it done", "follow"],
  failures: ["not_found"],
  isPatient: true,
  async run(context, { operation, follow }) {
    const found = await requireOperation(context, operation, "look");
    const view = operationView(found);
    if (follow) {
      if (view.progress) context.progress({ label: view.command, ...view.progress });
      const { signal } = context;
      if (view.state === "running") throw new WaitFirst(() => sleep(lookEveryMillis, undefined, { signal }));
    }
    return { ...view, changes: await changesOf(context.transaction, found.id) };
  },
});
