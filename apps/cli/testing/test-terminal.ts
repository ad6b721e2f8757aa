import { Readable } from "node:stream";
import type { Terminal } from "../src/terminal.ts";

/** Remembers what was printed. */
export class TestTerminal implements Terminal {
  readonly columns: number | undefined;
  readonly colours: Terminal["colours"];
  readonly isWatched: boolean;
  readonly isRich: boolean;
  readonly input: Readable;
  readonly ask: Terminal["ask"];
  remarks = "";
  readonly #printed: Uint8Array[] = [];

  constructor({
    columns,
    input = "",
    isWatched = false,
    isRich = false,
    isColoured = false,
    answer,
  }: {
    columns?: number;
    input?: string | undefined;
    isWatched?: boolean;
    isRich?: boolean;
    isColoured?: boolean;
    /** What the person types when asked; without it nobody can be asked. */
    answer?: string | undefined;
  } = {}) {
    this.columns = columns;
    this.colours = { out: isColoured, error: isColoured };
    this.isWatched = isWatched;
    this.isRich = isRich;
    this.ask =
      answer === undefined
        ? undefined
        : async (question) => {
            this.remarks += question;
            return answer;
          };
    this.input = Readable.from(input === "" ? [] : [Buffer.from(input)]);
  }

  get printed(): Buffer {
    return Buffer.concat(this.#printed);
  }

  async out(text: string | Uint8Array): Promise<void> {
    this.#printed.push(Buffer.from(text as string));
  }

  async error(text: string): Promise<void> {
    this.remarks += text;
  }
}
