import type { Readable } from "node:stream";
import { isColoured } from "@svc/rendering/is-coloured";
import { Output } from "./output.ts";

/** The person, pipe or program that svc talks to. */
export interface Terminal {
  /** The result, and nothing else. Resolves once it has been written. */
  out(text: string | Uint8Array): Promise<void>;
  /** Everything else. */
  error(text: string): Promise<void>;
  /** Undefined if the result goes into a pipe or a file. */
  columns: number | undefined;
  /** Whether the result, and everything else, has colours. */
  colours: { out: boolean; error: boolean };
  /** Whether a person watches standard error: only then is progress shown. */
  isWatched: boolean;
  /** Whether more than text is welcome: colour, a browser, a copied code. */
  isRich: boolean;
  input: Readable;
  /** Asks a person; answers undefined at the end of their input. Undefined itself if no person can answer. */
  ask: ((question: string, signal: AbortSignal) => Promise<string | undefined>) | undefined;
}

/** Asks what the streams are only if somebody wants to know: loading them takes a fifth of the time of a short line. */
export function standardTerminal(environment: NodeJS.ProcessEnv): Terminal {
  const [result, remarks] = [new Output(1, "Standard output"), new Output(2, "Standard error")];
  // An agent reads both streams; neither is for human eyes.
  const isWatched = () => process.stderr.isTTY === true && !environment.SVC_CLI_SESSION_TICKET;
  const isShown = () => process.stdout.isTTY === true;
  // A remark that cannot be written does not change the outcome.
  const error = (text: string) => remarks.write(text).catch(() => {});
  return {
    out: (text) => result.write(text),
    error,
    get columns() {
      return isShown() ? process.stdout.columns || 80 : undefined;
    },
    get colours() {
      return {
        out: isColoured(process.stdout, environment),
        error: isColoured(process.stderr, environment),
      };
    },
    get isWatched() {
      return isWatched();
    },
    get isRich() {
      return isWatched() && isShown() && !environment.NO_COLOR && environment.TERM !== "dumb";
    },
    get input() {
      return process.stdin;
    },
    get ask() {
      if (!isWatched() || !isShown() || process.stdin.isTTY !== true) return undefined;
      return async (question: string, signal: AbortSignal) => {
        await error(question);
        return (await import("@svc/machine/read-line")).readLine(process.stdin, signal);
      };
    },
  };
}
