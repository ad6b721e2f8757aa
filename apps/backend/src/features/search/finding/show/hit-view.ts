import { encodeId, type IdKind } from "@svc/protocol/typed-id";
import type { EntityType } from "@svc/search/index/documents";
import type { ParsedQuery } from "@svc/search/query/parse-query";
import type { Bounds } from "@svc/search/ranking/fuse";
import type { RankedDocument } from "@svc/search/ranking/rank-documents";
import { mostCandidates } from "@svc/search/ranking/search-query";
import { makeSnippet } from "@svc/search/snippets/snippet";
import type { ShownEntity } from "../../../../platform/search/search-source.ts";
import type { Hit } from "../page/find-page.ts";

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
export function hitView({ document, entity }: Hit, parsed: ParsedQuery, reckoning: Reckoning | undefined) {
  return {
    entityType: document.entityType,
    id: encodeId(idKinds[document.entityType], document.id),
    workspaceId: encodeId("workspace", entity.workspaceId),
    title: entity.title,
    ...(entity.path === undefined ? {} : { path: entity.path }),
    ...(entity.mediaType === undefined ? {} : { mediaType: entity.mediaType }),
    ...snippetOf(entity, parsed, document),
    matchedBy: [
      ...(document.isWorded ? ["fulltext" as const] : []),
      ...(document.similarity === null ? [] : ["semantic" as const]),
    ],
    score: document.score,
    updatedAt: entity.updatedAt.toISOString(),
    ...(reckoning ? { explain: explain(document, parsed, reckoning) } : {}),
  };
}

const tiers = ["some words", "all words", "all words in its name", "its name"] as const;

function explain(
  { matched, inText, inName, recency, similarity }: RankedDocument,
  { words }: ParsedQuery,
  { weights, frequencies, meaning }: Reckoning,
) {
  return {
    tier: tiers[matched] ?? "some words",
    inText,
    inName,
    recency,
    words: words.map(({ body, name }, index) => ({
      word: body[0] ?? name[0]?.[0] ?? "",
      weight: weights[index] ?? 0,
      documents: frequencies[index] ?? 0,
      atLeast: (frequencies[index] ?? 0) > mostCandidates,
    })),
    ...(meaning
      ? {
          meaning: {
            ...(similarity === null ? {} : { similarity }),
            weight: meaning.weight,
            best: meaning.bounds,
            least: meaning.leastSimilarity,
          },
        }
      : {}),
  };
}

/** Pieces that together are a part of the text, and how many characters precede it. */
function snippetOf({ excerpt }: ShownEntity, parsed: ParsedQuery, { isWorded }: RankedDocument) {
  if (!excerpt) return {};
  // A hit found only by meaning begins at its passage, and has no word to mark.
  const { start, pieces } = makeSnippet(
    excerpt.text,
    isWorded ? parsed : { ...parsed, words: [], typed: [] },
  );
  const before = [...excerpt.text.slice(0, start)].length;
  return { snippet: pieces, snippetStart: excerpt.start + before };
}
