import type { Terminal } from "./terminal.ts";

/** One typed line, and its surroundings. */
export interface Invocation {
  typed: readonly string[];
  environment: NodeJS.ProcessEnv;
  terminal: Terminal;
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
}
