import { stemmer } from "@orama/stemmers/arabic";

/**
 * The stemmer leaves a conjunction before the article (والمدرسة) and strips one layer of affixes, so the conjunction
 * goes first and it runs twice. xquad_ar with stop words dropped: the stemmer alone 0.9415, twice 0.9451, with the
 * conjunction 0.9463; Light-10 0.9389; without stop words dropped 0.934 to 0.941; no stemming 0.887.
 */
export function stemArabic(word: string): string {
  return stemmer(stemmer(word.replace(/^[وف](?=ال)/u, "")));
}
