import type { Invocation } from "./invocation.ts";
import type { ProgressLine } from "./progress-line.ts";

/** A verb that this machine answers. There are few, and no more: everything else is the server's. */
export interface LocalVerb {
  /** Printed for `svc <verb> --help`. */
  help: string;
  /** `typed` is what follows the verb. */
  run(invocation: Invocation, progress: ProgressLine): Promise<number>;
}
