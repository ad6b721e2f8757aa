import { languagesOfText } from "@svc/search/analyser/analyse-text";
import { type Language, latinLanguages } from "@svc/search/analyser/latin-languages";
import { normaliseWord } from "@svc/search/analyser/normalise-word";
import { scanWords } from "@svc/search/analyser/scan-words";
import type { Collection } from "./collection.ts";

export interface InflectedWord {
  /** Typed alone. */
  word: string;
  /** Has another form of it, and not this one. */
  documentId: string;
}

/** Shorter words are often forms of something else. */
const leastLetters = 5;

/**
 * For each document of the language one word that another document has in another form: Häuser for a text with Haus.
 * The stem that both share says that they are forms of one word. The same for the same documents.
 */
export function inflectedWords({ documents }: Collection, language: Language): InflectedWord[] {
  const { stem, stopWords } = latinLanguages[language];
  const texts = documents
    .filter(({ text }) => languagesOfText(text).includes(language))
    .map(({ id, title, text }) => ({ id, words: wordsOf(`${title} ${text}`, stopWords) }));
  const forms = Map.groupBy(new Set(texts.flatMap(({ words }) => [...words])), stem);
  return texts.flatMap(({ id, words }, index) => {
    const others = [...words].flatMap((word) =>
      (forms.get(stem(word)) ?? []).filter((form) => !words.has(form)),
    );
    const word = others[(index * 7_919) % Math.max(1, others.length)];
    return word === undefined ? [] : [{ word, documentId: id }];
  });
}

function wordsOf(text: string, stopWords: ReadonlySet<string>): Set<string> {
  const words = scanWords(text).map((word) => normaliseWord(word.text));
  return new Set(
    words.filter((word) => /^\p{L}+$/u.test(word) && word.length >= leastLetters && !stopWords.has(word)),
  );
}
