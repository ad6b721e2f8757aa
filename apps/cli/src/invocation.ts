import type { Terminal } from "./terminal.ts";

/** One line that somebody typed, and where he did. */
export interface Invocation {
  typed: readonly string[];
  environment: NodeJS.ProcessEnv;
  terminal: Terminal;
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
}
