/** A part of a text, `text.slice(start, end)`, that is embedded as one. */
export interface Chunk {
  start: number;
  end: number;
}

export interface ChunkSize {
  /** Counts like the model, or close to it: two texts together have no more tokens than both alone. */
  measure(text: string): number;
  /** Of a chunk. */
  most: number;
  /** The tokens that a chunk repeats of the previous one, so that statements across the border are found as well. */
  overlap: number;
}

/**
 * Splits a whole text by its structure: a chunk begins at a heading or a paragraph if possible, at a sentence if
 * necessary, in the middle of a word only as a last resort. Text before a heading is not repeated after it, so that a
 * change in one section does not change the chunks of the next, and they are not paid for again.
 */
export function chunkText(text: string, size: ChunkSize): Chunk[] {
  const chunks: Chunk[] = [];
  let open: Unit[] = [];
  let fill = 0;
  const close = () => {
    const [first] = open;
    const last = open.at(-1);
    if (first && last) chunks.push({ start: first.start, end: last.end });
  };
  for (const unit of unitsOf(text, size)) {
    const isNewSection = unit.isHeading && fill >= size.most / 4;
    if (open.length > 0 && (isNewSection || fill + unit.weight > size.most)) {
      close();
      open = isNewSection ? [] : repeated(open, Math.min(size.overlap, size.most - unit.weight));
      fill = weightOf(open);
    }
    open.push(unit);
    fill += unit.weight;
  }
  close();
  return chunks;
}

interface Unit extends Chunk {
  weight: number;
  isHeading: boolean;
}

function weightOf(units: readonly Unit[]): number {
  return units.reduce((sum, { weight }) => sum + weight, 0);
}

/** The last of them, as many as fit; never all, or chunking would not end. */
function repeated(units: readonly Unit[], room: number): Unit[] {
  const kept: Unit[] = [];
  let left = room;
  for (const unit of units.slice(1).reverse()) {
    left -= unit.weight;
    if (left < 0) break;
    kept.unshift(unit);
  }
  return kept;
}

/** Paragraphs; sentences of long paragraphs; pieces of long sentences. */
function* unitsOf(text: string, size: ChunkSize): Generator<Unit> {
  for (const paragraph of stretches(text, { start: 0, end: text.length }, paragraphs)) {
    const isHeading = /^#{1,6}\s/.test(text.slice(paragraph.start, paragraph.start + 8));
    let isFirst = true;
    for (const { start, end, weight } of fitting(text, paragraph, size, [sentences, words])) {
      yield { start, end, weight, isHeading: isHeading && isFirst };
      isFirst = false;
    }
  }
}

/** The separators: a blank line or a heading, the end of a sentence or a line, a space. */
const paragraphs = /\n[^\S\n]*\n\s*|\n(?=#{1,6}\s)/gu;
const sentences = /(?<=[.!?…][\p{Pe}\p{Pf}"']?)\s+|(?<=[。！？])|\n+/gu;
const words = /\s+/gu;

/** The parts between separators; none that is only spaces. */
function* stretches(text: string, { start, end }: Chunk, separator: RegExp): Generator<Chunk> {
  const within = text.slice(start, end);
  let from = 0;
  for (const { index, 0: found } of within.matchAll(separator)) {
    yield* trimmed(text, start + from, start + index);
    from = index + found.length;
  }
  yield* trimmed(text, start + from, end);
}

function* trimmed(text: string, start: number, end: number): Generator<Chunk> {
  const within = text.slice(start, end);
  const from = start + (within.length - within.trimStart().length);
  const to = from + within.trim().length;
  if (to > from) yield { start: from, end: to };
}

type Weighed = Chunk & { weight: number };

/** The part itself if it fits; otherwise its parts by the first separator, and so on; finally cut anywhere. */
function* fitting(
  text: string,
  stretch: Chunk,
  size: ChunkSize,
  [separator, ...finer]: readonly RegExp[],
): Generator<Weighed> {
  const isShort = stretch.end - stretch.start <= longestMeasured;
  const weight = isShort ? size.measure(text.slice(stretch.start, stretch.end)) : Number.POSITIVE_INFINITY;
  if (weight <= size.most) yield { ...stretch, weight };
  else if (separator === undefined) yield* cutAnywhere(text, stretch, size);
  else {
    for (const part of stretches(text, stretch, separator)) yield* fitting(text, part, size, finer);
  }
}

/** Longer ones are split without counting: a model's tokeniser takes long for a megabyte without a space. */
const longestMeasured = 20_000;

function* cutAnywhere(text: string, { start, end }: Chunk, size: ChunkSize): Generator<Weighed> {
  let from = start;
  let width = Math.min(end - start, size.most * 4);
  while (from < end) {
    const to = characterBorder(text, Math.min(end, from + Math.max(1, width)), from);
    const weight = size.measure(text.slice(from, to));
    if (weight > size.most && width > 1) {
      width = Math.floor(width / 2);
      continue;
    }
    yield { start: from, end: to, weight };
    from = to;
  }
}

/** Not between the halves of a surrogate pair. */
function characterBorder(text: string, offset: number, after: number): number {
  const isInside = offset < text.length && (text.codePointAt(offset - 1) ?? 0) > 0xffff;
  if (!isInside) return offset;
  return offset - 1 > after ? offset - 1 : offset + 1;
}
