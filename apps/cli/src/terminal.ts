import type { Readable } from "node:stream";
import { readLine } from "@svc/machine/read-line";
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

export function standardTerminal(environment: NodeJS.ProcessEnv): Terminal {
  const [result, remarks] = [new Output(1, "Standard output"), new Output(2, "Standard error")];
  // An agent reads both streams; neither is for human eyes.
  const isAgent = Boolean(environment.SVC_CLI_SESSION_TICKET);
  const isWatched = process.stderr.isTTY === true && !isAgent;
  // A remark that cannot be written does not change the outcome.
  const error = (text: string) => remarks.write(text).catch(() => {});
  const canAnswer = isWatched && process.stdout.isTTY === true && process.stdin.isTTY === true;
  return {
    out: (text) => result.write(text),
    error,
    columns: process.stdout.isTTY === true ? process.stdout.columns || 80 : undefined,
    colours: {
      out: isColoured(process.stdout, environment),
      error: isColoured(process.stderr, environment),
    },
    isWatched,
    isRich:
      isWatched && process.stdout.isTTY === true && !environment.NO_COLOR && environment.TERM !== "dumb",
    get input() {
      return process.stdin;
    },
    ask: canAnswer
      ? async (question, signal) => {
          await error(question);
          return readLine(process.stdin, signal);
        }
      : undefined,
  };
}
