import { join } from "node:path";
import { runEvaluations } from "./evaluate/run-evaluations.ts";

/**
 * `npm run evaluate` lists the evaluations, `npm run evaluate -- NAME [argument …]` runs one: how good the answers of
 * search are. Bars count at every size: they do not depend on the machine. See docs/guides/measure.md.
 */
await runEvaluations(join(import.meta.dirname, "evaluations"));
