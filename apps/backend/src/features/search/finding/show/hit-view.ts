import { encodeId, type IdKind } from "@svc/protocol/typed-id";
import type { EntityType } from "@svc/search/index/documents";
import type { ParsedQuery } from "@svc/search/query/parse-query";
import type { Bounds } from "@svc/search/ranking/fuse";
import { levelName } from "@svc/search/ranking/levels";
import type { RankedDocument } from "@svc/search/ranking/rank-candidates";
import { mostCandidates } from "@svc/search/ranking/search-query";
import { makePassages } from "@svc/search/snippets/make-passages";
import type { ShownEntity } from "../../../../platform/search/search-source.ts";
import type { Hit } from "../page/find-page.ts";
import type { ParsedQuestion } from "../parse/parse-question.ts";

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

/** As callers get it; with an explanation of its rank if requested. */
export function hitView({ document, entity }: Hit, asked: ParsedQuestion, reckoning: Reckoning | undefined) {
  return {
    entityType: document.entityType,
    id: encodeId(idKinds[document.entityType], document.id),
    workspaceId: encodeId("workspace", entity.workspaceId),
    title: entity.title,
    ...(entity.path === undefined ? {} : { path: entity.path }),
    ...(entity.mediaType === undefined ? {} : { mediaType: entity.mediaType }),
    ...snippetOf(entity, asked, document),
    matchedBy: [
      ...(document.isWorded ? ["fulltext" as const] : []),
      ...(document.similarity === null ? [] : ["semantic" as const]),
    ],
    score: document.score,
    updatedAt: entity.updatedAt.toISOString(),
    ...(reckoning ? { explain: explain(document, asked.parsed, reckoning) } : {}),
  };
}

function explain(
  { matched, inText, inName, recency, similarity, isJudged }: RankedDocument,
  { words }: ParsedQuery,
  { weights, frequencies, meaning }: Reckoning,
) {
  return {
    level: levelName(matched),
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
