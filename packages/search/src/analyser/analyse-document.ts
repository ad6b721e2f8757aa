import { nameImpact, textImpact } from "../impact/impact.ts";
import { tierLexeme, tierOf, wholeNameLexeme } from "../impact/tiers.ts";
import { analyseName, wholeName } from "./analyse-name.ts";
import { analyseText, languagesOfText, wordForms } from "./analyse-text.ts";
import { compoundMark } from "./compound-tail.ts";
import type { Language } from "./latin-languages.ts";
import { scanWords } from "./scan-words.ts";
import { TsvectorBuilder, type TsvectorText } from "./to-tsvector.ts";

export interface AnalysedDocument {
  name: TsvectorText;
  wholeName: string;
  body: TsvectorText;
  /** Those whose stems the text has. */
  languages: Language[];
}

/** What the index stores of a name and a text. */
export function analyseDocument({ name, text }: { name: string; text: string }): AnalysedDocument {
  const whole = wholeName(name);
  const inName = new TsvectorBuilder();
  for (const term of analyseName(name)) inName.add(term);
  const inText = new TsvectorBuilder();
  const languages = languagesOfText(text);
  for (const term of analyseText(text, languages)) {
    inText.add(term);
    if (inText.isFull) break;
  }
  for (const lexeme of tiersOf(inText, inName)) inText.mark(lexeme);
  if (languages.includes("de")) for (const lexeme of compoundsOf(inText)) inText.mark(lexeme);
  // A name is too short to guess its language.
  for (const lexeme of compoundsOf(inName)) inName.mark(lexeme);
  inName.mark(wholeNameLexeme(whole));
  return { name: inName.finish(), wholeName: whole, body: inText.finish(), languages };
}

function compoundsOf(terms: TsvectorBuilder): string[] {
  return [...terms.occurrences()].flatMap(([term]) => compoundMark(term) ?? []);
}

/** The tiers of all words in name and text: one lexeme says how much a word matters in both together. */
function tiersOf(inText: TsvectorBuilder, inName: TsvectorBuilder): string[] {
  const named = nameTerms(inName);
  const namedImpact = nameImpact(inName.length);
  const impacts = new Map([...named].map((term) => [term, namedImpact]));
  for (const [term, occurrences] of inText.occurrences()) {
    impacts.set(term, (impacts.get(term) ?? 0) + textImpact(occurrences, inText.length));
  }
  return [...impacts].flatMap(([term, impact]) => {
    const tier = tierOf(impact, named.has(term));
    return tier === undefined ? [] : [tierLexeme(tier, term)];
  });
}

/**
 * With their stems: a query for "university" finds it in the name "uni-versity", where only the whole has it, and its
 * stem in the text.
 */
function nameTerms(inName: TsvectorBuilder): Set<string> {
  const terms = [...inName.occurrences()].map(([term]) => term).filter(isOneWord);
  const stems = terms.flatMap((term) => wordForms({ text: term, isDense: false }, []).terms);
  return new Set([...terms, ...stems.map(({ term }) => term)]);
}

/** Otherwise no word of a query finds it: budget-2027.xlsx. */
function isOneWord(term: string): boolean {
  const [first] = scanWords(term);
  return first?.text.length === term.length;
}
