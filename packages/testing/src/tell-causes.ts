import fc from "fast-check";
import { runSeed } from "./run-seed.ts";

// Reports keep an error's message and leave out its cause, which is where fast-check puts what went wrong.
// Without a seed every run draws other examples: a gate would refuse changes by luck.
fc.configureGlobal({ ...fc.readConfigureGlobal(), includeErrorInReport: true, seed: runSeed() });
