import { foldAccents } from "../analyser/normalise-word.ts";
import type { ParsedQuery, QueryWord } from "../query/parse-query.ts";

/** How the forms of a query's word begin in a text. */
interface WordBeginning {
  letters: string;
  /** It is all of the word: one or two letters begin too many others. */
  isWhole: boolean;
  /** In scripts without spaces a match begins anywhere. */
  isAnywhere: boolean;
}

const mostWords = 20;
const mostLetters = 20;
const denseScript = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}]/u;

/**
 * What to look for in a text, instead of the typed word: the letters that it shares with its stem, which the inflected
 * forms begin with as well (companies: compan). Some other words begin like that too, so matches are checked later.
 */
export function wordBeginnings({ words }: ParsedQuery): WordBeginning[] {
  const counted = words.filter(({ body, isPart }) => body.length > 0 && !isPart);
  const found = (counted.length > 0 ? counted : words).slice(0, mostWords).flatMap(beginningsOf);
  return [...new Map(found.map((beginning) => [beginning.letters, beginning])).values()];
}

function beginningsOf({ body, name, prefix }: QueryWord): WordBeginning[] {
  const [first = ""] = body;
  if (denseScript.test(first)) return [{ letters: first, isWhole: false, isAnywhere: true }];
  const typed = name[0]?.[0] ?? first;
  const letters = body.length === 0 ? [typed] : body.flatMap((form) => sharedLetters(typed, form));
  const shortest = letters.filter(
    (some) => !letters.some((other) => other !== some && some.startsWith(other)),
  );
  return [...new Set(shortest)].flatMap(spellings).map((spelling) => ({
    letters: spelling,
    isWhole: spelling.length < 3 && prefix === undefined,
    isAnywhere: false,
  }));
}

/** Stems end in i or e where words do not: studi for study, make for making. */
function sharedLetters(typed: string, form: string): string[] {
  const shared = withoutVowel(commonBeginning(typed, form));
  return shared.length >= 3 || shared === typed || shared === form
    ? [shared]
    : [withoutVowel(typed), withoutVowel(form)];
}

function withoutVowel(letters: string): string {
  const [...characters] = letters;
  const cut = characters.slice(0, mostLetters).join("");
  return /^.{3,}[eiy]$/u.test(cut) ? cut.slice(0, -1) : cut;
}

function commonBeginning(one: string, other: string): string {
  const characters = [...one];
  const others = [...other];
  const end = characters.findIndex((character, index) => character !== others[index]);
  return end === -1 ? one : characters.slice(0, end).join("");
}

/** A text has one letter where a folded word has two: ß for ss, æ for ae, ö for oe. */
function spellings(letters: string): string[] {
  return [...new Set([letters, letters.replace(/ss/gu, "s").replace(/([ao])e/gu, "$1")])];
}

/** Regular expressions of PostgreSQL, used without regard to case, that match in front of each beginning. */
export interface BeginningsPattern {
  atStart: string;
  /** As a last resort: Arabic words begin with articles, German ones with other words. */
  anywhere: string;
}

export function beginningsPattern(beginnings: readonly WordBeginning[]): BeginningsPattern | undefined {
  if (beginnings.length === 0) return undefined;
  const dense = beginnings.filter(({ isAnywhere }) => isAnywhere);
  const spaced = beginnings.filter(({ isAnywhere }) => !isAnywhere);
  const some = (which: readonly WordBeginning[]) => `(?=${which.map(pattern).join("|")})`;
  return {
    atStart: [
      ...(spaced.length > 0 ? [`(?<![[:alnum:]])${some(spaced)}`] : []),
      ...(dense.length > 0 ? [some(dense)] : []),
    ].join("|"),
    anywhere: some(beginnings),
  };
}

function pattern({ letters, isWhole }: WordBeginning): string {
  const each = [...letters].map((letter) => {
    const alike = accented.get(letter);
    if (alike !== undefined) return `[${letter}${alike}]`;
    return /[\p{L}\p{M}\p{N}]|[^\p{ASCII}]/u.test(letter) ? letter : `\\${letter}`;
  });
  return `${each.join("")}${isWhole ? "([^[:alnum:]]|$)" : ""}`;
}

/** By letter, all that are folded to it or begin with it when folded. */
const accented = findAccented();

function findAccented(): ReadonlyMap<string, string> {
  const found = new Map<string, string>([["е", "ё"]]);
  for (const [from, to] of [
    [0xdf, 0x24f],
    [0x370, 0x3ff],
    [0x1e00, 0x1eff],
  ] as const) {
    for (let code = from; code <= to; code++) {
      const letter = String.fromCodePoint(code);
      const folded = foldAccents(letter);
      if (!/^\p{Ll}$/u.test(letter) || folded === letter) continue;
      const base = folded.charAt(0);
      found.set(base, (found.get(base) ?? "") + letter);
    }
  }
  return found;
}
