import type { Readable } from "node:stream";
import { readLine } from "@svc/machine/read-line";
import { Output } from "./output.ts";

/** Where a person, a pipe or a program is. */
export interface Terminal {
  /** The result, and nothing else. Settled once it has been taken. */
  out(text: string | Uint8Array): Promise<void>;
  /** Everything else. */
  error(text: string): Promise<void>;
  /** Undefined where the result goes into a pipe or a file. */
  columns: number | undefined;
  /** Whether somebody watches what is said beside the result: progress is for him alone. */
  isWatched: boolean;
  /** Whether the terminal may be given more than text: colour, a browser, a copied code. */
  isRich: boolean;
  input: Readable;
  /**
   * Asks a person and answers with the line they type, or undefined at the end of their input. Undefined itself where
   * no person can answer.
   */
  ask: ((question: string, signal: AbortSignal) => Promise<string | undefined>) | undefined;
}

export function standardTerminal(environment: NodeJS.ProcessEnv): Terminal {
  const [result, remarks] = [new Output(1, "Standard output"), new Output(2, "Standard error")];
  // An agent reads both streams; nothing in them is for eyes.
  const isAgent = Boolean(environment.SVC_CLI_SESSION_TICKET);
  const isWatched = process.stderr.isTTY === true && !isAgent;
  // What nobody can be told changes nothing about what was done.
  const error = (text: string) => remarks.write(text).catch(() => {});
  const canAnswer = isWatched && process.stdout.isTTY === true && process.stdin.isTTY === true;
  return {
    out: (text) => result.write(text),
    error,
    columns: process.stdout.isTTY === true ? process.stdout.columns || 80 : undefined,
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
