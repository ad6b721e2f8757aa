import { join } from "node:path";
import { runEvaluations } from "./evaluate/run-evaluations.ts";

/** `npm run agents:eval` lists what is measured for agents, `npm run agents:eval -- NAME` measures it, without a model. */
await runEvaluations(join(import.meta.dirname, "agents/evaluations"));
