import type { Invocation } from "./invocation.ts";
import type { ProgressLine } from "./progress-line.ts";

/** A verb that runs on this machine. There are few: everything else runs on the server. */
export interface LocalVerb {
  /** Printed for `svc <verb> --help`. */
  help: string;
  /** `typed` is the rest of the line after the verb. */
  run(invocation: Invocation, progress: ProgressLine): Promise<number>;
}
