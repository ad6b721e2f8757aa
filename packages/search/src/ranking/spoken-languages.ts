import type { TenantTransaction } from "@svc/database/database";
import type { Language } from "../analyser/latin-languages.ts";
import { languageMark, languages } from "../index/language-marks.ts";
import type { Source } from "../visibility/visible-documents.ts";
import { countInSample, type Sampled } from "./sample.ts";

/** Each may add a form to every word of a query. */
const mostLanguages = 5;

/**
 * The languages of the documents that the caller may see, the most frequent first, beside English, which every query
 * is read in. Texts of hidden documents do not matter: another form of a word would show in the answer.
 */
export async function spokenLanguages(
  transaction: TenantTransaction,
  source: Source,
  visible: Sampled,
): Promise<Language[]> {
  const marks = languages.map((language) => ({ name: null, body: languageMark(language) }));
  // guard: languages-of-visible
  const { found } = await countInSample(transaction, source, visible, marks, {
    among: marks.map(({ body }) => body).join(" | "),
  });
  return languages
    .map((language, index) => ({ language, documents: found[index] ?? 0 }))
    .filter(({ documents }) => documents > 0)
    .toSorted((left, right) => right.documents - left.documents)
    .slice(0, mostLanguages)
    .map(({ language }) => language);
}
