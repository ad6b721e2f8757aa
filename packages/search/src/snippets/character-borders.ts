const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** Where a text can be cut without splitting what people see as one character: é of two, a flag, a family. */
export class CharacterBorders {
  readonly #segments: Intl.Segments;
  readonly #length: number;

  constructor(text: string) {
    this.#segments = segmenter.segment(text);
    this.#length = text.length;
  }

  atOrBefore(offset: number): number {
    return offset >= this.#length ? this.#length : (this.#segments.containing(offset)?.index ?? offset);
  }

  atOrAfter(offset: number): number {
    const before = this.atOrBefore(offset);
    if (before === offset) return offset;
    return before + (this.#segments.containing(offset)?.segment.length ?? 0);
  }
}
