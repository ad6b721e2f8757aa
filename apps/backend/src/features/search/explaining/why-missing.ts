import { ProblemError } from "@svc/protocol/problem";
import { decodeId } from "@svc/protocol/typed-id";
import { analyserVersion } from "@svc/search/analyser/analyse-text";
import type { EntityType } from "@svc/search/index/documents";
import { findDocument, isLookedAt, type Match, matchDocument } from "@svc/search/inspecting/inspect-document";
import type { QueryWord } from "@svc/search/query/parse-query";
import type { Filters } from "@svc/search/visibility/visible-documents";
import type { CommandContext } from "../../../platform/commands/command-context.ts";
import type { InspectedEntity } from "../../../platform/search/search-source.ts";
import { locate, wantFile } from "../../files/files.ts";
import type { AskedMeaning } from "../finding/candidates/ask-meaning.ts";
import { type FoundByMeaning, findByMeaning } from "../finding/candidates/find-by-meaning.ts";
import { parseQuestion } from "../finding/parse/parse-question.ts";
import type { Question } from "../finding/parse/question.ts";
import { idKinds } from "../finding/show/hit-view.ts";
import { narrowToVisible, type VisibleSearch } from "../finding/visibility/narrow-to-visible.ts";
import { findStanding } from "./find-standing.ts";
import { bothObstacles, type Obstacle } from "./obstacle.ts";
import { unreadText } from "./unread-text.ts";
import { closenessText, stoppedByMode, whyNotByMeaning } from "./why-missing-by-meaning.ts";

/** What was looked at, and what stands in the way, if anything does. */
interface Finding extends Partial<Obstacle> {
  steps: string[];
  rank?: number;
  words: { word: string; inName: boolean; inText: boolean }[];
}

/** Goes the way of a search with one entity in mind, to the first thing that keeps it out. */
export async function whyMissing(
  context: CommandContext,
  target: string,
  question: Question,
  asked: AskedMeaning,
): Promise<Finding> {
  const steps: string[] = [];
  const named = await findNamed(context, target);
  const entity = named && (await context.search.sources.of(named.entityType).inspect(context, named.id));
  if (!named || !entity) {
    return {
      steps,
      words: [],
      reason: `there is no \`${target}\`, or you do not have access to it`,
      remedy: "Check the path or id, and the workspace; ask who shares it whether you may see it.",
    };
  }
  steps.push(`${entity.title} is there, and you may see it`);
  if (named.entityType === "FILE") wantFile(context, named.id);
  const gone = stoppedByTrash(entity) ?? (await stoppedByIndex(context, named, entity, steps));
  if (gone) return { steps, words: [], ...gone };
  const visible = await narrowToVisible(context, parseQuestion(question));
  const filtered = await stoppedByFilters(context, named, visible, steps);
  if (filtered) return { steps, words: [], ...filtered };
  const matches = await matchDocument(context.transaction, named.id, visible.query.parsed);
  const words = matches.words.map(({ inName, inText }, index) => ({
    word: wordOf(visible.query.parsed.words[index]),
    inName,
    inText,
  }));
  const subject = { named, entity, question, asked, visible, matches };
  return { steps, words, ...(await followLegs(context, subject, steps)) };
}

interface Subject {
  named: Named;
  entity: InspectedEntity;
  question: Question;
  asked: AskedMeaning;
  visible: VisibleSearch;
  matches: Matches;
}

type Matches = Awaited<ReturnType<typeof matchDocument>>;

/** By words where they count, and by meaning where they do not find it; the place in the order is that of both. */
async function followLegs(
  context: CommandContext,
  subject: Subject,
  steps: string[],
): Promise<Partial<Obstacle> & { rank?: number }> {
  const { named, question, asked, visible, matches } = subject;
  const byWords = question.mode === "semantic" ? undefined : await stoppedByWords(context, subject);
  if (question.mode !== "semantic" && !byWords) {
    const has = matches.words.filter(isMatchFor(question)).length;
    steps.push(`it has ${has} of ${matches.words.length} words`);
    const { found } = await findByMeaning(context, visible.query, asked);
    if (found && named.entityType === "FILE") steps.push(meaningText(named, found));
    return findStanding(context, named.id, visible, found);
  }
  const unasked =
    stoppedByMode(named.entityType === "FILE", question) ?? stoppedByOperators(matches, isAnywhere);
  if (unasked) return bothObstacles(byWords, unasked);
  const byMeaning = await whyNotByMeaning(context, { ...subject, id: named.id }, steps);
  if ("stop" in byMeaning) return bothObstacles(byWords, byMeaning.stop);
  return findStanding(context, named.id, visible, byMeaning.found);
}

function meaningText({ id }: Named, { files, leastSimilarity }: FoundByMeaning): string {
  const near = files.find((file) => file.id === id);
  if (!near) return "meaning was asked too, and adds nothing to it";
  return `meaning counts too: ${closenessText(near.similarity, leastSimilarity)}`;
}

function isAnywhere({ inName, inText }: Match): boolean {
  return inName || inText;
}

function isMatchFor({ searchContent }: Question) {
  return ({ inName, inText }: Match) => inName || (searchContent && inText);
}

function stoppedByOperators(
  { excluded, phrases }: Matches,
  isMatch: (match: Match) => boolean,
): Obstacle | undefined {
  if (excluded.some(isMatch))
    return { reason: "it has what the query excludes with -", remedy: "Leave out the word after -." };
  if (phrases.every(isMatch)) return undefined;
  return {
    reason: "it has the words in quotes, if at all, not one after the other",
    remedy: "Leave out the quotes.",
  };
}

async function stoppedByWords(
  context: CommandContext,
  { named, entity, question, matches }: Subject,
): Promise<Obstacle | undefined> {
  const isMatch = isMatchFor(question);
  const stop = stoppedByOperators(matches, isMatch);
  if (stop) return stop;
  const needed = matches.words.filter(({ isNeeded }) => isNeeded);
  if (needed.length === 0 || needed.some(isMatch)) return undefined;
  return matches.words.some(isMatch) ? onlyStopWords : noWord(context, named, entity, question);
}

interface Named {
  id: string;
  entityType: EntityType;
}

async function findNamed(context: CommandContext, target: string): Promise<Named | undefined> {
  for (const [entityType, kind] of Object.entries(idKinds)) {
    const id = decodeId(target, kind);
    if (id !== undefined) return { id, entityType: entityType as EntityType };
  }
  const place = await locate(context, target).catch((error: unknown) => {
    if (error instanceof ProblemError && error.code === "not_found") return undefined;
    throw error;
  });
  if (!place) return undefined;
  const { node, workspace } = place;
  if (!node) return { id: workspace.id, entityType: "WORKSPACE" };
  return { id: node.id, entityType: node.kind === "file" ? "FILE" : "FOLDER" };
}

function stoppedByTrash({ trashed }: InspectedEntity): Obstacle | undefined {
  if (trashed === undefined) return undefined;
  return { reason: `\`${trashed}\` is in the trash`, remedy: "`svc trash list` shows what can be restored." };
}

async function stoppedByIndex(
  { transaction }: CommandContext,
  { id }: Named,
  { reading }: InspectedEntity,
  steps: string[],
): Promise<Obstacle | undefined> {
  const reindex = "An administrator can have it indexed again with `svc search reindex`.";
  const document = await findDocument(transaction, id);
  if (!document) return { reason: "it is not indexed", remedy: reindex };
  if (!document.isPlaced) return { reason: "the index does not know where it is", remedy: reindex };
  const notes = [
    document.analyserVersion === analyserVersion
      ? []
      : [`by analyser ${document.analyserVersion}, an older one`],
    reading === undefined || reading.outcome === "ok" ? [] : [`its text: ${reading.outcome}`],
    document.isCut ? ["the end of its text did not fit"] : [],
  ].flat();
  steps.push(["it is indexed", ...notes].join("; "));
  return undefined;
}

const filterNames: Partial<Record<keyof Filters, [string, string]>> = {
  within: [
    "it is not below what `in:` or the folder names",
    "Leave out `in:` or the folder, or name another.",
  ],
  notWithin: ["it is below what `-in:` names", "Leave out `-in:`."],
  types: ["it is of another type than `type:` names", "Leave out `type:`."],
  excludedTypes: ["it is of the type that `-type:` names", "Leave out `-type:`."],
};

/** One filter after the other, as if it were the only one. */
async function stoppedByFilters(
  context: CommandContext,
  { id, entityType }: Named,
  { query: { source } }: VisibleSearch,
  steps: string[],
): Promise<Obstacle | undefined> {
  const { entityTypes, ...given } = source.filters;
  if (!entityTypes.includes(entityType)) {
    return {
      reason: "only names of files, folders and workspaces were looked at",
      remedy: "Search contents too.",
    };
  }
  const passes = (filters: Omit<Filters, "entityTypes">) =>
    isLookedAt(context.transaction, { ...source, filters: { entityTypes: [entityType], ...filters } }, id);
  if (!(await passes({}))) {
    return {
      reason: "the index has it under a list that you are not on",
      remedy: "An administrator can have it indexed again with `svc search reindex`.",
    };
  }
  for (const [name, [reason, remedy]] of Object.entries(filterNames)) {
    const key = name as keyof typeof given;
    if (given[key] !== undefined && !(await passes({ [key]: given[key] }))) return { reason, remedy };
  }
  steps.push("no filter of the query keeps it out");
  return undefined;
}

const onlyStopWords: Obstacle = {
  reason: "of the query it has only words that everything has, which make no hit",
  remedy: "Add a word that says what it is about.",
};

async function noWord(
  { transaction }: CommandContext,
  { id }: Named,
  { reading }: InspectedEntity,
  { searchContent }: Question,
): Promise<Obstacle> {
  const where = searchContent ? "its name or text" : "its name, and texts were not looked at";
  const document = await findDocument(transaction, id);
  const unread = searchContent && reading ? unreadText(reading) : undefined;
  const remedies = [
    ...(unread === undefined ? [] : [unread]),
    ...(searchContent && document?.isCut ? ["What did not fit into the index is not found."] : []),
    ...(document && document.analyserVersion !== analyserVersion ? ["It is about to be indexed again."] : []),
  ];
  return {
    reason: `no word of the query is in ${where}`,
    remedy: remedies.join(" ") || "Use a word that is in it, as it is written there.",
  };
}

function wordOf(word: QueryWord | undefined): string {
  return word?.name[0]?.join(" ") ?? word?.body[0] ?? "";
}
