import { ProblemError } from "@svc/protocol/problem";
import { defineListener } from "../../../platform/commands/listeners.ts";
import { isBasisUnchanged } from "../answer-basis.ts";

/** An answer tells what the caller could see when it was made: after a change of rights it is not repeated. */
export default defineListener({
  event: "AnswerRepeatedEvent",
  async run(context, { basis }) {
    if (await isBasisUnchanged(context, basis)) return;
    throw new ProblemError(
      "not_permitted",
      "The command was done, but your access changed since, so its answer is not repeated.",
      { hint: "See what you can still reach with `svc workspaces list`." },
    );
  },
});
