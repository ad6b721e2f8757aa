import { decodeId, type IdKind } from "@svc/protocol/typed-id";
import type { EntityType } from "@svc/search/index/documents";
import { z } from "zod";
import { nobody } from "../../../../platform/identity/nobody.ts";

/** auto: both, if contents are searched and a workspace has semantic search. */
export const SearchMode = z
  .enum(["auto", "fulltext", "semantic", "hybrid"])
  .default("auto")
  .describe("By word, by meaning, or both");

export const sortOrders = ["relevance", "updated", "created", "name", "size"] as const;

export interface Question {
  query: string;
  searchContent: boolean;
  /** The last word may be unfinished. */
  typing: boolean;
  mode: z.output<typeof SearchMode>;
  workspaceId?: string | undefined;
  folderId?: string | undefined;
  entityTypes?: readonly EntityType[] | undefined;
  mediaType?: string | undefined;
  owner?: string | undefined;
  updatedAfter?: string | undefined;
  sort: (typeof sortOrders)[number];
  /** Count the hits by type, workspace, owner and year. */
  facets: boolean;
  /** Where days begin. */
  timeZone: string;
  limit: number;
  cursor?: string | undefined;
  /** What the answer may cost a language model. */
  maxTokens?: number | undefined;
  highlight: boolean;
  /** How many passages to show of each hit, besides its snippet; 0 for none. */
  passages: number;
  explain: boolean;
  /** Also search for similar words if nothing contains a word. */
  correct: boolean;
}

/** An id of another kind, or an invalid one, matches nothing. */
export function idOf(shown: string | undefined, kind: IdKind): string | undefined {
  return shown === undefined ? undefined : (decodeId(shown, kind) ?? nobody);
}
