import { defineListener } from "../../../platform/commands/listeners.ts";
import { addAnswerBasis } from "../answer-basis.ts";

export default defineListener({
  event: "AnswerStoredEvent",
  run: (context, { basis }) => addAnswerBasis(context, basis),
});
