import { Dice } from "../../bench/fulltext/words.ts";
import type { OrderedCorpus } from "./ordered-corpus.ts";

const vocabulary = 30_000;
const topics = 200;
const wordsOfTopic = 300;
/** Folders have two words each: one of a few, and one of many. */
const wordsOfFolders = { few: 12, many: 400 };

/**
 * Texts as uneven as real ones: the second word is half as frequent as the first, words come in bursts, and a text has
 * a topic. Lengths from a note to a report; a third of the names say what it is about.
 */
export function syntheticCorpus(
  size: number,
  queries: { ofTexts: number; ofFolders: number; phrases: number },
): OrderedCorpus {
  const now = Date.now();
  return {
    name: size.toLocaleString("en"),
    size,
    *documents() {
      const dice = new Dice(7);
      for (let number = 0; number < size; number += 1)
        yield { ...drawDocument(dice, number), updatedAt: drawDate(dice, now) };
    },
    folderName: (number) => [...wordsOfFolder(number), String(number)].join("-"),
    queries: [
      ...drawQueries(queries.ofTexts),
      ...drawFolderQueries(queries.ofFolders),
      ...drawPhrases(queries.phrases),
    ],
  };
}

function drawDocument(dice: Dice, number: number): { name: string; text: string } {
  const topic = dice.between(0, topics - 1);
  const words: number[] = [];
  const length = Math.round(30 * 20 ** dice.next());
  while (words.length < length) words.push(drawRank(dice, topic, words));
  const about = dice.next() < 0.33 ? `${wordOf(words[0] ?? 1)}-${wordOf(words[1] ?? 1)}-` : "";
  return { name: `${about}${number}.txt`, text: words.map(wordOf).join(" ") };
}

function drawRank(dice: Dice, topic: number, before: readonly number[]): number {
  const thrown = dice.next();
  // A burst: what was said is said again.
  if (thrown < 0.25 && before.length > 0)
    return before[dice.between(Math.max(0, before.length - 40), before.length - 1)] ?? 1;
  if (thrown < 0.45) return 50 + topic * 37 + Math.floor(wordsOfTopic ** dice.next());
  return Math.max(1, Math.floor(vocabulary ** dice.next()));
}

function drawDate(dice: Dice, now: number): Date {
  return new Date(now - dice.next() * 700 * 86_400_000);
}

/** One to ten words: of one topic, so that some documents have all; common ones; or any. */
function drawQueries(count: number): string[] {
  const dice = new Dice(11);
  const queries = new Set<string>();
  for (let number = 0; queries.size < count; number += 1) {
    const topic = dice.between(0, topics - 1);
    const drawWord = [
      () => 50 + topic * 37 + Math.floor(wordsOfTopic ** dice.next()),
      () => Math.floor(80 ** dice.next()),
      () => Math.floor(vocabulary ** dice.next()),
    ][number % 3];
    const ranks = Array.from({ length: 1 + (number % 10) }, () => drawWord?.() ?? 1);
    queries.add([...new Set(ranks)].map(wordOf).join(" "));
  }
  return [...queries];
}

/** Two words in a row: the commonest ones, common ones, or a common one and one of a topic. */
function drawPhrases(count: number): string[] {
  const dice = new Dice(17);
  const phrases = new Set<string>();
  for (let number = 0; phrases.size < count; number += 1) {
    const drawCommon = (most: number) => Math.floor(most ** dice.next());
    const ofTopic = 50 + dice.between(0, topics - 1) * 37 + drawCommon(wordsOfTopic);
    const second = [drawCommon(6), drawCommon(80), ofTopic][number % 3] ?? ofTopic;
    phrases.add(`"${wordOf(drawCommon(6))} ${wordOf(second)}"`);
  }
  return [...phrases];
}

function wordsOfFolder(number: number): string[] {
  const dice = new Dice(100 + number);
  return [wordsOfFolders.few, wordsOfFolders.many].map((most) => wordOf(dice.between(1, most)));
}

/** One or two words of a folder, and one that many names have. The first folders are what a caller with few sees. */
function drawFolderQueries(count: number): string[] {
  const dice = new Dice(13);
  const queries = new Set<string>();
  while (queries.size < count) {
    const ofFolder = wordsOfFolder(Math.floor(100 ** dice.next()) - 1);
    const some = [ofFolder.slice(0, 1), ofFolder.slice(1), ofFolder][queries.size % 3] ?? ofFolder;
    queries.add([...new Set([...some, wordOf(Math.floor(80 ** dice.next()))])].join(" "));
  }
  return [...queries];
}

/** Nothing that a stemmer shortens or a dictionary knows. */
function wordOf(rank: number): string {
  const consonants = "bdfglmnprtvz";
  let rest = rank;
  let word = "";
  for (let syllable = 0; syllable < 3; syllable += 1) {
    const digit = rest % 36;
    word += `${consonants[Math.floor(digit / 3)]}${"auo"[digit % 3]}`;
    rest = Math.floor(rest / 36);
  }
  return `${word}k`;
}
