import { encodeId, type IdKind } from "@svc/protocol/typed-id";
import type { EntityType } from "@svc/search/index/documents";
import type { ParsedQuery } from "@svc/search/query/parse-query";
import type { Bounds } from "@svc/search/ranking/fuse";
import { levelName, levels } from "@svc/search/ranking/levels";
import type { RankedDocument } from "@svc/search/ranking/rank-candidates";
import { mostCandidates } from "@svc/search/ranking/search-query";
import { makePassages } from "@svc/search/snippets/make-passages";
import { markMatches } from "@svc/search/snippets/mark-matches";
import type { ShownEntity } from "../../../../platform/search/search-source.ts";
import { type Hit, standing } from "../page/find-page.ts";
import type { ParsedQuestion } from "../parse/parse-question.ts";
import { detailsOf, type Surroundings } from "./hit-details.ts";

export const idKinds: Record<EntityType, IdKind> = {
  FILE: "file",
  FOLDER: "folder",
  RECORD: "record",
  WORKSPACE: "workspace",
};

/** For each word of the query, in order. */
interface Reckoning {
  weights: readonly number[];
  frequencies: readonly number[];
  meaning?: { weight: number; leastSimilarity: number; bounds: Bounds };
}

/** What a page knows of all its hits. */
interface PageFacts {
  around: Surroundings;
  /** The standing of the first hit of all. */
  best: number;
  reckoning: Reckoning | undefined;
}

/** As callers get it; with an explanation of its rank if requested. */
export function hitView(
  { document, entity }: Hit,
  asked: ParsedQuestion,
  { around, best, reckoning }: PageFacts,
) {
  const { highlight, sort } = asked.question;
  return {
    entityType: document.entityType,
    id: encodeId(idKinds[document.entityType], document.id),
    workspaceId: encodeId("workspace", entity.workspaceId),
    title: entity.title,
    ...(entity.path === undefined ? {} : { path: entity.path }),
    ...(entity.mediaType === undefined ? {} : { mediaType: entity.mediaType }),
    ...detailsOf(entity, around),
    matched: matchedOf(document),
    ...(highlight ? { titlePieces: markMatches(entity.title, asked.parsed) } : {}),
    ...snippetOf(entity, asked, document),
    matchedBy: [
      ...(document.isWorded ? ["fulltext" as const] : []),
      ...(document.similarity === null ? [] : ["semantic" as const]),
    ],
    // In another order than that of relevance none is above another.
    score: sort === "relevance" ? partOf(standing(document), best) : 1,
    updatedAt: entity.updatedAt.toISOString(),
    ...(reckoning ? { explain: explain(document, asked.parsed, reckoning) } : {}),
  };
}

/** By what a hit was found, the best first. */
export const matchKinds = ["name", "all words", "some words", "meaning"] as const;

function matchedOf({ matched, isWorded }: RankedDocument): (typeof matchKinds)[number] {
  if (!isWorded) return "meaning";
  const level = levels.find(({ name }) => name === levelName(matched));
  switch (level?.has) {
    case "name":
    case "all in name":
    case "all in name and path":
      return "name";
    case "glued":
    case "all":
      return "all words";
    default:
      return "some words";
  }
}

/** From 1 for the first hit of all down to 0, in the order of the hits, with six digits. */
function partOf(standing: number, best: number): number {
  const part = best > 0 ? Math.min(1, Math.max(0, standing / best)) : 1;
  return Math.round(part * 1e6) / 1e6;
}

function explain(
  { matched, score, inText, inName, recency, similarity, isJudged }: RankedDocument,
  { words }: ParsedQuery,
  { weights, frequencies, meaning }: Reckoning,
) {
  return {
    level: levelName(matched),
    points: score,
    inText,
    inName,
    recency,
    words: words.map(({ body, name, joined, insteadOf }, index) => ({
      word: joined?.typed ?? body[0] ?? name[0]?.[0] ?? "",
      ...(insteadOf === undefined ? {} : { insteadOf }),
      weight: weights[index] ?? 0,
      documents: frequencies[index] ?? 0,
      atLeast: (frequencies[index] ?? 0) > mostCandidates,
    })),
    ...(meaning
      ? {
          meaning: {
            ...(similarity === null ? {} : { similarity }),
            estimated: !isJudged,
            weight: meaning.weight,
            best: meaning.bounds,
            least: meaning.leastSimilarity,
          },
        }
      : {}),
  };
}

/** Pieces that together are a part of the text, and how many characters precede it; more such parts if requested. */
function snippetOf(
  { excerpts = [] }: ShownEntity,
  { parsed, question: { highlight, passages: count } }: ParsedQuestion,
  { isWorded }: RankedDocument,
) {
  // A hit found only by meaning begins at its passage, and has no word to mark.
  const passages = makePassages(excerpts, isWorded ? parsed : { ...parsed, words: [] }, Math.max(1, count));
  const [first] = passages;
  if (!first) return {};
  return {
    ...(highlight ? { snippet: first.pieces, snippetStart: first.start } : {}),
    ...(count > 0 ? { passages } : {}),
  };
}
