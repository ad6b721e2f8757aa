import { ProblemError } from "@svc/protocol/problem";
import { defineListener } from "../../../platform/commands/listeners.ts";
import { isBasisUnchanged } from "../answer-basis.ts";

/** An answer shows what the caller could see at that time: after a change of rights it is not replayed. */
export default defineListener({
  event: "AnswerRepeatedEvent",
  async run(context, { basis }) {
    if (await isBasisUnchanged(context, basis)) return;
    throw new ProblemError(
      "not_permitted",
      "The command succeeded, but your access has changed since, so its answer cannot be shown again.",
      { hint: "Run `svc workspaces list` to see what you have access to." },
    );
  },
});
