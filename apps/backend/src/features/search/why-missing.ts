import { ProblemError } from "@svc/protocol/problem";
import { decodeId } from "@svc/protocol/typed-id";
import { analyserVersion } from "@svc/search/analyse-text";
import { countWords, weighWords } from "@svc/search/count-words";
import type { EntityType } from "@svc/search/documents";
import { findDocument, isLookedAt, type Match, matchDocument } from "@svc/search/inspect-document";
import type { QueryWord } from "@svc/search/parse-query";
import { rankDocuments } from "@svc/search/rank-documents";
import { mostCandidates } from "@svc/search/search-query";
import type { Filters } from "@svc/search/visible-documents";
import type { CommandContext } from "../../platform/command-context.ts";
import type { InspectedEntity } from "../../platform/search-source.ts";
import { locate } from "../files/files.ts";
import type { Prepared } from "./find-page.ts";
import { idKinds } from "./hit-view.ts";
import type { Question } from "./question.ts";
import { prepare } from "./search.ts";

/** What was looked at, and what stands in the way, if anything does. */
interface Finding {
  steps: string[];
  reason?: string;
  remedy?: string;
  rank?: number;
  words: { word: string; inName: boolean; inText: boolean }[];
}

type Stop = Pick<Finding, "reason" | "remedy">;

/** Goes the way of a search with one entity in mind, to the first thing that keeps it out. */
export async function whyMissing(
  context: CommandContext,
  target: string,
  question: Question,
): Promise<Finding> {
  const steps: string[] = [];
  const words: Finding["words"] = [];
  const stop = (reason: string, remedy: string) => ({ steps, words, reason, remedy });

  const named = await findNamed(context, target);
  const entity = named && (await context.searchSources.of(named.entityType).inspect(context, named.id));
  if (!named || !entity) {
    return stop(
      `there is no \`${target}\`, or you may not see it`,
      "Check the path or id, and the workspace; ask who shares it whether you may see it.",
    );
  }
  steps.push(`${entity.title} is there, and you may see it`);
  const gone = stoppedByTrash(entity) ?? (await stoppedByIndex(context, named, entity, steps));
  if (gone) return { steps, words, ...gone };
  const prepared = await prepare(context, question);
  const { parsed } = prepared.query;
  const filtered = await stoppedByFilters(context, named, prepared, steps);
  if (filtered) return { steps, words, ...filtered };

  const matches = await matchDocument(context.transaction, named.id, parsed);
  const isMatch = ({ inName, inText }: Match) => inName || (question.searchContent && inText);
  words.push(
    ...matches.words.map(({ inName, inText }, index) => ({
      word: wordOf(parsed.words[index]),
      inName,
      inText,
    })),
  );
  if (matches.excluded.some(isMatch))
    return stop("it has what the query excludes with -", "Leave out the word after -.");
  if (!matches.phrases.every(isMatch))
    return stop("it has the words in quotes, if at all, not one after the other", "Leave out the quotes.");
  const needed = matches.words.filter(({ isNeeded }) => isNeeded);
  if (needed.length > 0 && !needed.some(isMatch)) {
    if (matches.words.some(isMatch)) return stop(...onlyStopWords);
    return { steps, words, ...(await noWord(context, named, entity, question)) };
  }
  steps.push(`it has ${matches.words.filter(isMatch).length} of ${matches.words.length} words`);
  return { steps, words, ...(await standing(context, named, prepared)) };
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

function stoppedByTrash({ trashed }: InspectedEntity): Stop | undefined {
  if (trashed === undefined) return undefined;
  return { reason: `\`${trashed}\` is in the trash`, remedy: "`svc trash list` shows what can be restored." };
}

async function stoppedByIndex(
  { transaction }: CommandContext,
  { id }: Named,
  { outcome }: InspectedEntity,
  steps: string[],
): Promise<Stop | undefined> {
  const reindex = "An administrator can have it indexed again with `svc search reindex`.";
  const document = await findDocument(transaction, id);
  if (!document) return { reason: "it is not indexed", remedy: reindex };
  if (!document.isPlaced) return { reason: "the index does not know where it is", remedy: reindex };
  const notes = [
    document.analyserVersion === analyserVersion
      ? []
      : [`by analyser ${document.analyserVersion}, an older one`],
    outcome === undefined || outcome === "ok" ? [] : [`its text: ${outcome}`],
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
  { query: { source } }: Prepared,
  steps: string[],
): Promise<Stop | undefined> {
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

const onlyStopWords = [
  "of the query it has only words that everything has, which make no hit",
  "Add a word that says what it is about.",
] as const;

const unread: Record<string, string> = {
  encrypted: "Its text is encrypted: put it without its password.",
  empty: "No text was found in it; a scan has none.",
  too_large: "It is too large for its text to be read.",
  timeout: "Its text could not be read in time.",
  crash: "Its text could not be read.",
  unsupported: "Texts of its format are not read.",
  truncated: "Only the beginning of its text was read.",
};

async function noWord(
  { transaction }: CommandContext,
  { id }: Named,
  { outcome = "ok" }: InspectedEntity,
  { searchContent }: Question,
): Promise<Stop> {
  const where = searchContent ? "its name or text" : "its name, and texts were not looked at";
  const document = await findDocument(transaction, id);
  const remedies = [
    ...(searchContent && unread[outcome] ? [unread[outcome]] : []),
    ...(searchContent && document?.isCut ? ["What did not fit into the index is not found."] : []),
    ...(document && document.analyserVersion !== analyserVersion ? ["It is about to be indexed again."] : []),
  ];
  return {
    reason: `no word of the query is in ${where}`,
    remedy: remedies.join(" ") || "Use a word that is in it, as it is written there.",
  };
}

/** Where it stands in the ranking, as far as that goes. */
async function standing(
  context: CommandContext,
  { id }: Named,
  { query, statistics, limit }: Prepared,
): Promise<Omit<Finding, "steps" | "words">> {
  const { transaction, now } = context;
  const frequencies = await countWords(transaction, query, statistics, { shown: false });
  const weights = weighWords(query.parsed, statistics.documents, frequencies);
  const ranking = { weights, averageLength: statistics.averageLength, now };
  const { documents } = await rankDocuments(transaction, query, {
    ranking,
    statistics,
    frequencies,
    limit: mostCandidates,
  });
  const rank = documents.findIndex((document) => document.id === id) + 1;
  if (rank === 0) {
    return {
      reason: `more than ${mostCandidates} match as well, and only those with the rarest words are ranked`,
      remedy: "Add a word that it has and others have not.",
    };
  }
  if (rank <= limit) return { rank };
  return {
    rank,
    reason: `${rank - 1} others come before it, and a page has ${limit}`,
    remedy: "Look at the pages that follow, or add a word that it has and others have not.",
  };
}

function wordOf(word: QueryWord | undefined): string {
  return word?.name[0]?.join(" ") ?? word?.body[0] ?? "";
}
