import { type FilesTown, test as filesTest } from "./files-test.ts";

interface TestHit {
  entityType: string;
  id: string;
  title: string;
  path?: string;
  snippet?: { text: string; match: boolean }[];
  snippetStart?: number;
  passages?: { start: number; end: number; pieces: { text: string; match: boolean }[] }[];
  address?: string;
  workspace?: { id: string; slug: string; name: string };
  parent?: { id: string; name: string; path?: string };
  owner?: { id: string; name: string };
  size?: number;
  createdAt: string;
  updatedAt: string;
  matched: string;
  titlePieces?: { text: string; match: boolean }[];
  score: number;
  explain?: {
    level: string;
    points: number;
    recency: number;
    words: { word: string; documents: number }[];
    meaning?: { estimated: boolean; best: { ratio: number } };
  };
}

export interface TestAnswer {
  hits: TestHit[];
  nextCursor?: string;
  total: { value: number; relation: "eq" | "gte" };
  semantic: { state: string; embedded: number; waiting: number; reason?: string };
  partial?: boolean;
  order?: "exact" | "approximate";
  corrections?: { word: string; also: string[] }[];
  suggestions?: string[];
  emptyQuery?: boolean;
  ignored?: { text: string; reason: string; hint: string }[];
  facets?: { about: boolean } & Record<"type" | "workspace" | "owner" | "year", TestFacet[]>;
}

interface TestFacet {
  value: string;
  label: string;
  count: number;
  operator: string;
}

/** Searches like the search box in the header, including texts. */
export async function ask(
  { backend }: Pick<FilesTown, "backend">,
  token: string,
  query: string,
  more: Record<string, unknown> = {},
): Promise<TestAnswer> {
  const answer = await backend.server.inject({
    method: "POST",
    url: "/api/v1/search",
    headers: { authorization: `Bearer ${token}` },
    payload: { query, searchContent: true, ...more },
  });
  if (answer.statusCode !== 200) throw new Error(`${query}: ${answer.statusCode} ${answer.body}`);
  return answer.json();
}

export function titles({ hits }: TestAnswer): string[] {
  return hits.map(({ title }) => title);
}

export const test = filesTest;
