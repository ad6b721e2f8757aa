import { nameImpact, textImpact } from "../impact/impact.ts";
import { tierLexeme, tierOf, wholeNameLexeme } from "../impact/tiers.ts";
import { analyseName, wholeName } from "./analyse-name.ts";
import { analyseWords, readWords, wordForms } from "./analyse-text.ts";
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
  const { words, languages } = readWords(text);
  for (const term of analyseWords(words, languages)) {
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
  /** Most words of a text occur once or twice. */
  const impactInText = remember((occurrences) => textImpact(occurrences, inText.length));
  const tierInText = remember((occurrences) => tierOf(impactInText(occurrences), false));
  const inBoth = new Map([...named].map((term) => [term, namedImpact]));
  const inTextOnly: string[] = [];
  for (const [term, occurrences] of inText.occurrences()) {
    if (named.has(term)) inBoth.set(term, namedImpact + impactInText(occurrences));
    else {
      const tier = tierInText(occurrences);
      if (tier !== undefined) inTextOnly.push(tierLexeme(tier, term));
    }
  }
  const ofName = [...inBoth].flatMap(([term, impact]) => {
    const tier = tierOf(impact, true);
    return tier === undefined ? [] : [tierLexeme(tier, term)];
  });
  return [...ofName, ...inTextOnly];
}

function remember<Result>(compute: (count: number) => Result): (count: number) => Result {
  const known: Result[] = [];
  return (count) => {
    if (!(count in known)) known[count] = compute(count);
    return known[count] as Result;
  };
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
