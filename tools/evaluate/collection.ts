import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

/** A test collection: documents, queries, and which documents people judged relevant to which query. */
export interface Collection {
  name: string;
  documents: { id: string; title: string; text: string }[];
  queries: { id: string; text: string; grades: ReadonlyMap<string, number> }[];
}

export const defaultCollections = process.env.SVC_COLLECTIONS || join("..", "shared", "relevance");

/** Every folder of the layout corpus.jsonl.gz, queries.jsonl, qrels.tsv; queries without a judgement are left out. */
export function collectionNames(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder).filter((name) => existsSync(join(folder, name, "qrels.tsv")));
}

export function readCollection(folder: string, name: string): Collection {
  const lines = (text: string) => text.split("\n").filter((line) => line !== "");
  const json = (text: string) => lines(text).map((line) => JSON.parse(line) as Record<string, string>);
  const corpus = gunzipSync(readFileSync(join(folder, name, "corpus.jsonl.gz"))).toString();
  const grades = new Map<string, Map<string, number>>();
  for (const line of lines(readFileSync(join(folder, name, "qrels.tsv"), "utf8"))) {
    const [query = "", document = "", grade] = line.split("\t");
    if (!Number.isFinite(Number(grade)) || Number(grade) <= 0) continue;
    const judged = grades.get(query) ?? new Map<string, number>();
    grades.set(query, judged.set(document, Number(grade)));
  }
  return {
    name,
    documents: json(corpus).map(({ _id = "", title = "", text = "" }) => ({ id: _id, title, text })),
    queries: json(readFileSync(join(folder, name, "queries.jsonl"), "utf8")).flatMap(
      ({ _id = "", text = "" }) => {
        const judged = grades.get(_id);
        return judged ? [{ id: _id, text, grades: judged }] : [];
      },
    ),
  };
}
