import { defineListener } from "../../../platform/listeners.ts";
import { addAnswerBasis } from "../answer-basis.ts";

export default defineListener({
  event: "AnswerStoredEvent",
  run: (context, { basis }) => addAnswerBasis(context, basis),
});
