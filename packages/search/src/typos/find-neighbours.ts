import type { TenantTransaction } from "@svc/database/database";
import { plannedAnew } from "@svc/database/statement-name";
import { type RawBuilder, sql } from "kysely";
import type { Language } from "../analyser/latin-languages.ts";
import { quoteLexeme } from "../analyser/to-tsvector.ts";
import { oneEditNeighbours } from "../query/one-edit-neighbours.ts";
import type { QueryWord } from "../query/parse-query.ts";
import { anyOf } from "../query/query-words.ts";
import { formsOf } from "../query/with-corrections.ts";
import type { SearchQuery } from "../ranking/search-query.ts";
import { visibleDocuments, visiblePlaces } from "../visibility/visible-documents.ts";

/** A similar word, as a word of the query. */
export interface Neighbour extends QueryWord {
  spelling: string;
}

/** Documents read in one look, and looks for one word. */
const documentsRead = 60;
const mostLooks = 3;
/** More than are used: those in most documents are chosen among them. */
const mostNeighbours = 8;

/**
 * The words one edit away that visible documents have. All of them are looked for at once, because every scan of the
 * index also reads what is pending: 400 scans, one for each neighbour, would read that 400 times. The documents found
 * tell which they have. The next look leaves these out, so that a frequent neighbour does not hide a rare one. Beside
 * other words, a neighbour must begin alike: stock is found by "selling stock", and not together with "telling".
 */
export async function findNeighbours(
  transaction: TenantTransaction,
  query: SearchQuery,
  { spelling, body }: Neighbour,
): Promise<Neighbour[]> {
  const { words, languages } = query.parsed;
  const keepFirst = words.filter((word) => word.body.length > 0).length > 1;
  let unseen = neighboursOf(oneEditNeighbours(spelling, { keepFirst }), body, languages);
  const found: Neighbour[] = [];
  for (let looks = 0; looks < mostLooks && found.length < mostNeighbours; looks++) {
    const { seen, isAll } = await look(transaction, query, unseen);
    found.push(...unseen.filter((neighbour) => seen.has(neighbour)));
    unseen = unseen.filter((neighbour) => !seen.has(neighbour));
    if (isAll) break;
  }
  return found.slice(0, mostNeighbours);
}

/** Each stem once, without stop words and without the stems of the word itself, which nothing has. */
function neighboursOf(
  spellings: readonly string[],
  own: readonly string[],
  languages: readonly Language[],
): Neighbour[] {
  const neighbours = new Map<string, Neighbour>();
  for (const spelling of spellings) {
    const { body, name } = formsOf(spelling, languages);
    const [stem] = body;
    if (stem === undefined || own.includes(stem)) continue;
    // A name has its words as written: towles is close to towels, and not, by way of townes, to a town.
    const written = name.slice(0, 1);
    const known = neighbours.get(stem);
    if (known) known.name.push(...written);
    else neighbours.set(stem, { spelling, body, name: written, count: 1, isPart: false });
  }
  return [...neighbours.values()];
}

async function look(
  { db, tenantId }: TenantTransaction,
  { source, content }: SearchQuery,
  neighbours: readonly Neighbour[],
): Promise<{ seen: ReadonlySet<Neighbour>; isAll: boolean }> {
  const inText = content ? byTerm(neighbours, ({ body }) => body) : new Map<string, Neighbour>();
  const inName = byTerm(neighbours, ({ name }) => name.flat());
  // As a subquery: seeing 400 words, PostgreSQL expects most documents to match, and compares each with each.
  const asked = (terms: ReadonlyMap<string, Neighbour>) =>
    sql`(select ${anyOf([...terms.keys()].map(quoteLexeme))}::tsquery)`;
  // Place by place, every document would be compared with every neighbour.
  const reach = source.reach === "row" ? "row" : "index";
  // guard: neighbours-of-visible
  const { rows } = await sql<{ named: string[]; written: string[]; documents: number }>`
    ${plannedAnew} with ${visiblePlaces(tenantId, source.visibility, source.filters)},
    matching as materialized (
      select document.name_tsv, document.body_tsv ${visibleDocuments({ ...source, reach })}
        and (document.name_tsv @@ ${asked(inName)} or document.body_tsv @@ ${asked(inText)})),
    read as materialized (select * from matching limit ${documentsRead})
    select count(*) as documents, ${termsAmong(sql`name_tsv`, inName)} as named,
      ${termsAmong(sql`body_tsv`, inText)} as written
    from read`.execute(db);
  const { named = [], written = [], documents = 0 } = rows[0] ?? {};
  const found = [...named.map((term) => inName.get(term)), ...written.map((term) => inText.get(term))];
  return { seen: new Set(found.filter((some) => some !== undefined)), isAll: documents < documentsRead };
}

/** Those that a document has: a list is hashed, while a join would compare each with each. */
function termsAmong(vector: RawBuilder<unknown>, terms: ReadonlyMap<string, Neighbour>) {
  return sql`array(
    select distinct word.term from read as document
    cross join lateral unnest(tsvector_to_array(document.${vector})) as word (term)
    where word.term = any(${[...terms.keys()]}::text[]))`;
}

/** A term belongs to the word it is the first form of: "budget" is also the German stem of budgets, budgete, budgetst. */
function byTerm(
  neighbours: readonly Neighbour[],
  forms: (neighbour: Neighbour) => readonly string[],
): Map<string, Neighbour> {
  const all = neighbours.flatMap((neighbour) =>
    forms(neighbour).map((term, form) => ({ term, form, neighbour })),
  );
  const firstFormsLast = all.toReversed().toSorted((left, right) => right.form - left.form);
  return new Map(firstFormsLast.map(({ term, neighbour }) => [term, neighbour]));
}
