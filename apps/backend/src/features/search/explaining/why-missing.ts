import { ProblemError } from "@svc/protocol/problem";
import { decodeId } from "@svc/protocol/typed-id";
import { analyserVersion } from "@svc/search/analyser/analyse-text";
import type { EntityType } from "@svc/search/index/documents";
import { findDocument, isLookedAt, type Match, matchDocument } from "@svc/search/inspecting/inspect-document";
import type { QueryWord } from "@svc/search/query/parse-query";
import { findPathPlaces } from "@svc/search/visibility/find-path-places";
import type { Filters } from "@svc/search/visibility/visible-documents";
import { withinTime } from "@svc/search/visibility/within-time";
import type { CommandContext } from "../../../platform/commands/command-context.ts";
import type { InspectedEntity } from "../../../platform/search/search-source.ts";
import { locate, wantFile } from "../../files/files.ts";
import type { AskedMeaning } from "../finding/candidates/ask-meaning.ts";
import { type FoundByMeaning, findByMeaning } from "../finding/candidates/find-by-meaning.ts";
import type { Question } from "../finding/parse/question.ts";
import { correctTypos } from "../finding/rank/correct-typos.ts";
import { idKinds } from "../finding/show/hit-view.ts";
import { timeLimits } from "../finding/time-limits.ts";
import type { VisibleSearch } from "../finding/visibility/narrow-to-visible.ts";
import { findStanding } from "./find-standing.ts";
import { bothObstacles, type Obstacle } from "./obstacle.ts";
import { unreadText } from "./unread-text.ts";
import { closenessText, stoppedByMode, whyNotByMeaning } from "./why-missing-by-meaning.ts";

/** The checked steps, and the obstacle, if any. */
interface Finding extends Partial<Obstacle> {
  steps: string[];
  rank?: number;
  words: { word: string; also?: string[]; inName: boolean; inPath?: boolean; inText: boolean }[];
}

/** Follows a search for one entity, to the first thing that excludes it. */
export async function whyMissing(
  context: CommandContext,
  target: string,
  typed: VisibleSearch,
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
      remedy: "Check the path or id and the workspace, or ask its owner for access.",
    };
  }
  steps.push(`${entity.title} exists, and you have access to it`);
  if (named.entityType === "FILE") wantFile(context, named.id);
  const gone = stoppedByTrash(entity) ?? (await stoppedByIndex(context, named, entity, steps));
  if (gone) return { steps, words: [], ...gone };
  const visible = (await correctTypos(context, typed, () => true)) ?? typed;
  const { question } = visible;
  const filtered = await stoppedByFilters(context, named, visible, steps);
  if (filtered) return { steps, words: [], ...filtered };
  const { transaction } = context;
  const paths = await withinTime(transaction, timeLimits.millis, () =>
    findPathPlaces(transaction, visible.parsed, visible.query.source),
  );
  if (!paths) steps.push("the names of its folders were not checked, which would take too long");
  const matches = await matchDocument(transaction, named.id, { parsed: visible.parsed, paths: paths ?? [] });
  const words = matches.words.map(({ word, inName, inPath, inText }) => ({
    ...wordOf(word, visible),
    inName,
    ...(inPath ? { inPath } : {}),
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

/** By words if they count, and by meaning if words do not find it; the rank is that of both. */
async function followLegs(
  context: CommandContext,
  subject: Subject,
  steps: string[],
): Promise<Partial<Obstacle> & { rank?: number }> {
  const { named, question, asked, visible, matches } = subject;
  const byWords = question.mode === "semantic" ? undefined : await stoppedByWords(context, subject);
  if (question.mode !== "semantic" && !byWords) {
    const has = matches.words.filter(isMatchFor(question)).length;
    steps.push(`it contains ${has} of ${matches.words.length} words`);
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
  if (!near) return "meaning was used too, and adds nothing";
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
    return {
      reason: "it contains something that the query excludes with -",
      remedy: "Remove the word after -.",
    };
  if (phrases.every(isMatch)) return undefined;
  return {
    reason: "it does not contain the words in quotes next to each other",
    remedy: "Remove the quotes.",
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
  return {
    reason: `\`${trashed}\` is in the trash`,
    remedy: "Run `svc trash list` to see what can be restored.",
  };
}

async function stoppedByIndex(
  { transaction }: CommandContext,
  { id }: Named,
  { reading }: InspectedEntity,
  steps: string[],
): Promise<Obstacle | undefined> {
  const reindex = "Ask an administrator to run `svc search reindex`.";
  const document = await findDocument(transaction, id);
  if (!document) return { reason: "it is not indexed", remedy: reindex };
  if (!document.isPlaced) return { reason: "the index does not know where it is", remedy: reindex };
  const notes = [
    document.analyserVersion === analyserVersion ? [] : [`by the older analyser ${document.analyserVersion}`],
    reading === undefined || reading.outcome === "ok" ? [] : [`its text: ${reading.outcome}`],
    document.isCut ? ["the end of its text did not fit"] : [],
  ].flat();
  steps.push(["it is indexed", ...notes].join("; "));
  return undefined;
}

const filterNames: Partial<Record<keyof Filters, [string, string]>> = {
  within: ["it is not in the place of `in:` or the folder", "Remove `in:` or the folder, or use another."],
  notWithin: ["it is in the place that `-in:` excludes", "Remove `-in:`."],
  types: ["it has another type than `type:`", "Remove `type:`."],
  excludedTypes: ["it has the type that `-type:` excludes", "Remove `-type:`."],
  extensions: ["its name does not end as `ext:` says", "Remove `ext:`."],
  excludedExtensions: ["its name ends as `-ext:` excludes", "Remove `-ext:`."],
  ownerIds: ["somebody else than `owner:` created it", "Remove `owner:`."],
  excludedOwnerIds: ["it was created by whom `-owner:` excludes", "Remove `-owner:`."],
  from: ["it was last changed before `after:`", "Remove `after:`, or use an earlier day."],
  before: ["it was changed after `before:`", "Remove `before:`, or use a later day."],
  named: ["its name does not have the words of `title:`", "Remove `title:`."],
  notNamed: ["its name has the words that `-title:` excludes", "Remove `-title:`."],
  onPaths: ["its path does not have the words of `path:`", "Remove `path:`."],
  notOnPaths: ["its path has the words that `-path:` excludes", "Remove `-path:`."],
};

/** Tries each filter alone. */
async function stoppedByFilters(
  context: CommandContext,
  { id, entityType }: Named,
  { query: { source } }: VisibleSearch,
  steps: string[],
): Promise<Obstacle | undefined> {
  const { entityTypes, ...given } = source.filters;
  if (!entityTypes.includes(entityType)) {
    return {
      reason: "only names of files, folders and workspaces were searched",
      remedy: "Search contents too, without `--no-search-content`.",
    };
  }
  const passes = (filters: Omit<Filters, "entityTypes">) =>
    isLookedAt(context.transaction, { ...source, filters: { entityTypes: [entityType], ...filters } }, id);
  if (!(await passes({}))) {
    return {
      reason: "the index has it under an access list without you",
      remedy: "Ask an administrator to run `svc search reindex`.",
    };
  }
  for (const [name, [reason, remedy]] of Object.entries(filterNames)) {
    const key = name as keyof typeof given;
    if (given[key] !== undefined && !(await passes({ [key]: given[key] }))) return { reason, remedy };
  }
  steps.push("no filter of the query excludes it");
  return undefined;
}

const onlyStopWords: Obstacle = {
  reason: "it contains only words of the query that everything contains, which make no hit",
  remedy: "Add a word about its topic.",
};

async function noWord(
  { transaction }: CommandContext,
  { id }: Named,
  { reading }: InspectedEntity,
  { searchContent }: Question,
): Promise<Obstacle> {
  const where = searchContent ? "its name or text" : "its name, and texts were not searched";
  const document = await findDocument(transaction, id);
  const unread = searchContent && reading ? unreadText(reading) : undefined;
  const remedies = [
    ...(unread === undefined ? [] : [unread]),
    ...(searchContent && document?.isCut ? ["Text that did not fit into the index cannot be found."] : []),
    ...(document && document.analyserVersion !== analyserVersion ? ["It will be reindexed soon."] : []),
  ];
  return {
    reason: `no word of the query is in ${where}`,
    remedy: remedies.join(" ") || "Use a word that it contains, spelled the same way.",
  };
}

function wordOf(
  { insteadOf, joined, name, body }: QueryWord,
  { corrections }: VisibleSearch,
): { word: string; also?: string[] } {
  const correction = corrections.find((some) => some.word === insteadOf);
  if (correction) return correction;
  return { word: joined?.typed ?? name[0]?.join(" ") ?? body[0] ?? "" };
}
