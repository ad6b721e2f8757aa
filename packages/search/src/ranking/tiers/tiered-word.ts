import { wordForms } from "../../analyser/analyse-text.ts";
import { quoteLexeme } from "../../analyser/to-tsvector.ts";
import { mostGain, mostNameImpact, mostTextImpact } from "../../impact/impact.ts";
import { lowestTextTier, tierBorders, tierLexeme } from "../../impact/tiers.ts";
import type { QueryWord } from "../../query/parse-query.ts";
import { anyOf } from "../../query/query-words.ts";

/** No document is left out, because all that have the word are candidates. */
export const everyTier = -1;
/** No document is a candidate because of this word. */
export const noTier = tierBorders.length;

/** `body_tsv` has this if the word reaches the tier in the document; null if no document can. */
export function tierQuery({ body, name, prefix }: QueryWord, tier: number, content: boolean): string | null {
  if (tier >= noTier || tier <= everyTier) return null;
  const forms = [...(content ? body.map((term) => [term]) : []), ...name];
  const reached = (term: string, suffix = "") =>
    tierBorders
      .keys()
      .drop(tier)
      .map((reachedTier) => `${quoteLexeme(tierLexeme(reachedTier, term))}${suffix}`)
      .toArray()
      .join(" | ");
  return anyOf([
    ...forms.map((terms) => terms.map((term) => `(${reached(term)})`).join(" & ")),
    ...(prefix ? [reached(prefix, ":*")] : []),
  ]);
}

/**
 * The most that a word can add to the score of a document in which it does not reach the tier, before the weight of the
 * word. A document stores tiers by its terms, and adds name and text up term by term. If a word has forms that a name
 * does not share with a text (a German stem, the parts of AnnualReport, a beginning), one may be in the name and another
 * in the text, each below the tier.
 */
export function mostBelow(
  { content, averageLength }: Circumstances,
  isAddedUp: boolean,
): (tier: number) => number {
  const gain = mostGain(averageLength);
  return (tier) => {
    if (tier <= everyTier) return 0;
    const border = (tierBorders[tier] ?? Number.POSITIVE_INFINITY) + rounding;
    const inName = Math.min(border, mostNameImpact);
    if (!content) return inName;
    const both = Math.min(border + gain, mostTextImpact) + inName;
    return isAddedUp ? Math.min(both, border + gain) : both;
  };
}

interface Circumstances {
  content: boolean;
  averageLength: number;
}

/** `ts_rank` has seven digits. */
const rounding = 0.001;

/** Whether a name that has the word has its only term in text as well: a document adds them up under the stem. */
export function isOfOneKind({ body, name, prefix }: QueryWord): boolean {
  const [term, ...others] = body;
  if (prefix || others.length > 0) return false;
  return name.every(
    ([form, ...parts]) => parts.length === 0 && (!term || form === term || hasStem(form, term)),
  );
}

function hasStem(form: string | undefined, term: string): boolean {
  return wordForms({ text: form ?? "", isDense: false }, []).terms.some((stem) => stem.term === term);
}

/** The lowest tier that says something about documents in general, or about those with all words in their name. */
export function lowestTier(isInName: boolean): number {
  return isInName ? 0 : lowestTextTier;
}
