import { readFile, writeFile } from "node:fs/promises";
import { attribute } from "../process/dependency.ts";
import type { Extraction } from "../text/extract-text.ts";

/** Of one call, in memory. */
const mostCharacters = 32_000_000;

/** The texts that were read from the files of one call. A tree can have more than fits in memory: then they lie beside the files. */
export class KeptTexts {
  #room = mostCharacters;

  /** Returns how to get it again. */
  async keep(place: string, extraction: Extraction): Promise<() => Promise<Extraction>> {
    const { length } = extraction.text;
    if (length <= this.#room) {
      this.#room -= length;
      return async () => extraction;
    }
    const path = `${place}.text`;
    // As JSON, which keeps what UTF-8 cannot.
    await attribute("store", () => writeFile(path, JSON.stringify(extraction), { mode: 0o600 }));
    return () => attribute("store", async () => JSON.parse(await readFile(path, "utf8")) as Extraction);
  }
}
