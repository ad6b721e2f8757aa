import type { EntityType } from "@svc/search/index/documents";
import { levelName } from "@svc/search/ranking/levels";
import type { CommandContext } from "../../../platform/commands/command-context.ts";
import { findPage, type Hit } from "../finding/page/find-page.ts";
import { isEmptyQuestion, parseQuestion } from "../finding/parse/parse-question.ts";
import type { Question } from "../finding/parse/question.ts";
import { narrowToVisible } from "../finding/visibility/narrow-to-visible.ts";

/** Workspaces are suggested by themselves. */
const named: readonly EntityType[] = ["FILE", "FOLDER", "RECORD"];

/** What has all typed words in its name, the last of them perhaps unfinished. */
export async function findNamed(context: CommandContext, typed: string, limit: number): Promise<Hit[]> {
  const asked = parseQuestion({ ...plain, query: typed, typing: true, limit }, context.now);
  if (isEmptyQuestion(asked)) return [];
  const visible = await narrowToVisible(context, asked);
  const { source } = visible.query;
  // A search of names leaves records out, but they have titles.
  const query = {
    ...visible.query,
    source: { ...source, filters: { ...source.filters, entityTypes: named } },
  };
  const { shown } = await findPage(context, { ...visible, query }, undefined);
  return shown.filter(hasAllWords);
}

/**
 * Whether the caller can see something with all words of a query that others asked. An operator, an excluded word or an
 * alternative may name what the caller cannot see, though there are hits: such queries are never suggested.
 */
export async function isFound(context: CommandContext, query: string): Promise<boolean> {
  // guard: popular-words-alone
  if (!isWordsAlone(query)) return false;
  const asked = parseQuestion({ ...plain, query, searchContent: true, limit: 1 }, context.now);
  if (isEmptyQuestion(asked)) return false;
  const { shown } = await findPage(context, await narrowToVisible(context, asked), undefined);
  // guard: popular-by-all-words
  return shown.some(hasAllWords);
}

function isWordsAlone(query: string): boolean {
  return !/:|\*|(?:^|\s)-|(?:^|\s)or(?:\s|$)/i.test(query);
}

const plain: Omit<Question, "query" | "limit"> = {
  searchContent: false,
  typing: false,
  mode: "fulltext",
  sort: "relevance",
  facets: false,
  timeZone: "UTC",
  highlight: false,
  passages: 0,
  explain: false,
  correct: false,
};

function hasAllWords({ document }: Hit): boolean {
  return levelName(document.matched) !== "some words";
}
