/** A stretch of a text, `text.slice(start, end)`, that is embedded as one. */
export interface Chunk {
  start: number;
  end: number;
}

export interface ChunkSize {
  /** As the model counts, or close to it: of two texts together no more than of both alone. */
  measure(text: string): number;
  /** Of a chunk. */
  most: number;
  /** Of what a chunk repeats of the one before it, so that what is said across the border is found as well. */
  overlap: number;
}

/**
 * All of a text, by its structure: a chunk begins at a heading or a paragraph where it can, at a sentence where it must, in
 * the middle of a word only where there is nothing else. What comes before a heading is not repeated after it, so that
 * a change in one section leaves the chunks of the next as they are, and nothing is paid for them again.
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

/** The last of them, as many as there is room for; never all, or chunks would not come to an end. */
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

/** Paragraphs; sentences of those that are too long; pieces of sentences that are. */
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

/** Where one ends and the next begins: at a blank line or before a heading, after the end of a sentence or a line, between words. */
const paragraphs = /\n[^\S\n]*\n\s*|\n(?=#{1,6}\s)/gu;
const sentences = /(?<=[.!?…][\p{Pe}\p{Pf}"']?)\s+|(?<=[。！？])|\n+/gu;
const words = /\s+/gu;

/** Between what separates them; none that is nothing but spaces. */
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

/** It as it is where it fits; else its parts by the first separator, and so on; in the end cut anywhere. */
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

/** Longer ones are taken apart without asking: a model's tokeniser takes long for a megabyte without a space. */
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
