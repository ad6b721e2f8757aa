import { decodeId, type IdKind } from "@svc/protocol/typed-id";
import type { EntityType } from "@svc/search/index/documents";
import { z } from "zod";
import { nobody } from "../../../../platform/identity/nobody.ts";

/** auto: both, if contents are searched and a workspace has semantic search. */
export const SearchMode = z
  .enum(["auto", "fulltext", "semantic", "hybrid"])
  .default("auto")
  .describe("By word, by meaning, or both");

export interface Question {
  query: string;
  searchContent: boolean;
  mode: z.output<typeof SearchMode>;
  workspaceId?: string | undefined;
  folderId?: string | undefined;
  entityTypes?: readonly EntityType[] | undefined;
  mediaType?: string | undefined;
  owner?: string | undefined;
  updatedAfter?: string | undefined;
  limit: number;
  cursor?: string | undefined;
  highlight: boolean;
  explain: boolean;
}

/** An id of another kind, or an invalid one, matches nothing. */
export function idOf(shown: string | undefined, kind: IdKind): string | undefined {
  return shown === undefined ? undefined : (decodeId(shown, kind) ?? nobody);
}
