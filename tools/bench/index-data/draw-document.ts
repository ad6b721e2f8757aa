import { randomBytes } from "node:crypto";
import { analyseDocument } from "@svc/search/analyser/analyse-document";
import { textImpact } from "@svc/search/impact/impact";
import { tierLexeme, tierOf } from "@svc/search/impact/tiers";
import { sampleMarks } from "@svc/search/index/sample-marks";
import { type Dice, textLength, vocabulary, wordOf } from "../fulltext/words.ts";

export interface DrawnDocument {
  id: string;
  name: string;
  wholeName: string;
  nameVector: string;
  nameLength: number;
  words: readonly string[];
  vector: string;
}

/**
 * A document with the vectors that the analyser writes, in a tenth of its time: no stemmer changes the words, and all texts
 * have the same length. Ids grow with `number`.
 */
export function drawDocument(dice: Dice, number: number): DrawnDocument {
  const { tiers, ...name } = analysedNames[number % analysedNames.length] as AnalysedName;
  const id = timeOrderedId(number);
  const words: string[] = [];
  const positions = new Map<string, string>();
  const occurrences = new Map<string, number>();
  for (let position = 1; position <= textLength; position += 1) {
    const word = wordsByChance[Math.floor(dice.next() * chances)] as string;
    const before = positions.get(word);
    words.push(word);
    positions.set(word, before === undefined ? `${position}` : `${before},${position}`);
    if (before !== undefined) occurrences.set(word, (occurrences.get(word) ?? 1) + 1);
  }
  const lexemes: string[] = [];
  for (const [word, at] of positions) lexemes.push(`${word}:${at}`);
  // A word that occurs once has no tier in texts of this length.
  for (const [word, count] of occurrences) {
    const tier = tierOf(textImpact(count, textLength), false);
    if (tier !== undefined) lexemes.push(tierLexeme(tier, word));
  }
  lexemes.push(...sampleMarks(id), tiers);
  return { ...name, id, words, vector: lexemes.join(" ") };
}

/** Throws if the analyser would write anything else. */
export function requireAsAnalysed({ id, name, words, vector }: DrawnDocument): void {
  const { body, languages } = analyseDocument({ name, text: words.join(" ") });
  const analysed = [body.text, ...sampleMarks(id)].join(" ");
  if (languages.length > 0 || body.length !== words.length || sorted(analysed) !== sorted(vector)) {
    throw new Error(`The analyser writes\n${analysed}\ninstead of\n${vector}`);
  }
}

function sorted(vector: string): string {
  return vector.replaceAll("'", "").trim().split(" ").toSorted().join(" ");
}

interface AnalysedName extends Pick<DrawnDocument, "name" | "wholeName" | "nameVector" | "nameLength"> {
  /** Of its words, which no text has. */
  tiers: string;
}

/** Names repeat, as they do in many folders. */
const analysedNames = Array.from({ length: 1_000 }, (_, number): AnalysedName => {
  const name = `file ${number}.txt`;
  const { name: inName, wholeName, body } = analyseDocument({ name, text: "" });
  return { name, wholeName, nameVector: inName.text, nameLength: inName.length, tiers: body.text };
});

/** By Zipf's law. A table is ten times faster than the formula. */
const chances = 2 ** 20;
const wordsByChance = Array.from({ length: chances }, (_, chance) =>
  wordOf(Math.max(1, Math.floor(vocabulary ** (chance / chances)))),
);

/** As uuidv7 makes them: in the order of the table, with random last digits. */
function timeOrderedId(number: number): string {
  const time = (1_700_000_000_000 + number).toString(16).padStart(12, "0");
  const random = randomBytes(10).toString("hex");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(0, 3)}-8${random.slice(3, 6)}-${random.slice(6, 18)}`;
}
