import { Readable } from "node:stream";
import type { Terminal } from "../src/terminal.ts";

/** Remembers what was printed. */
export class TestTerminal implements Terminal {
  readonly columns: number | undefined;
  readonly isWatched: boolean;
  readonly isRich: boolean;
  readonly input: Readable;
  remarks = "";
  readonly #printed: Uint8Array[] = [];

  constructor({
    columns,
    input = "",
    isWatched = false,
    isRich = false,
  }: { columns?: number; input?: string; isWatched?: boolean; isRich?: boolean } = {}) {
    this.columns = columns;
    this.isWatched = isWatched;
    this.isRich = isRich;
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
