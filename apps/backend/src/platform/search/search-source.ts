import { loadFeatureModules } from "@svc/command-router/feature-modules";
import type { TenantTransaction } from "@svc/database/database";
import type { EntityType, SearchDocument } from "@svc/search/index/documents";
import type { Excerpt, ExcerptRequest } from "@svc/search/snippets/excerpts";
import type { RawBuilder } from "kysely";
import type { Caller } from "../identity/caller.ts";
import type { Reading } from "../text/retry-note.ts";

/** The caller and the transaction: all that a source needs to know about a command. */
interface Asker {
  transaction: TenantTransaction;
  actor: Caller["actor"];
}

/** An entity on a page of hits, reread through the tables of its feature. */
export interface ShownEntity {
  id: string;
  title: string;
  path?: string;
  mediaType?: string;
  workspaceId: string;
  updatedAt: Date;
  createdAt: Date;
  /** Of a file, in bytes. */
  size?: number;
  /** What it is in: a folder, the workspace or a collection. */
  parent?: { kind: "folder" | "workspace" | "collection"; id: string; name: string; path?: string };
  /** Who created it, if the caller may read it. */
  ownerId?: string;
  /** Parts of its text, if requested, the best first. */
  excerpts?: readonly Excerpt[];
}

/** Everything in a tenant, in a workspace, or in a folder and below it. */
export interface SearchScope {
  workspaceId?: string;
  folderId?: string;
}

interface Listed {
  id: string;
  entityType: EntityType;
  workspaceId: string;
}

/** One entity, as far as a caller who cannot find it may know it. */
export interface InspectedEntity {
  title: string;
  workspaceId: string;
  /** What is trashed: the entity itself, something above it, or the workspace. */
  trashed?: string;
  /** The state of its text, if it has text to read. */
  reading?: Reading;
}

/** One or two kinds of hits: what can be found in them, which entities exist, and what a caller can see of them. */
export interface SearchSource {
  entityTypes: readonly EntityType[];
  /** How many documents can have their texts in memory at the same time, unless `bytes` says that they are too long. */
  atOnce: number;
  /** Of their texts, if those can be long. */
  bytes?(transaction: TenantTransaction, ids: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** The current documents; deleted and trashed ones are absent. */
  documents(transaction: TenantTransaction, ids: readonly string[]): Promise<SearchDocument[]>;
  /** Everything that can be found, by id, for reindexing. */
  list(
    transaction: TenantTransaction,
    scope: SearchScope & { after?: string; limit: number },
  ): Promise<Listed[]>;
  /** How many there are. */
  count(transaction: TenantTransaction, scope: SearchScope): Promise<number>;
  /** The entities that the caller can see, by their rights and by row security: the index may be wrong, this must not. */
  show(asker: Asker, ids: readonly string[], excerpt: ExcerptRequest | undefined): Promise<ShownEntity[]>;
  /** One entity that the caller can see, trashed or not. */
  inspect(asker: Asker, id: string): Promise<InspectedEntity | undefined>;
  /** Entities whose name the caller can see without being able to read them. */
  doors?(asker: Asker): Promise<string[]>;
  /** Of a `document` of this kind, as scalars of SQL: when it was created, and its bytes. Null for other kinds. */
  sortKeys(tenantId: string): { createdAt: RawBuilder<Date | null>; size?: RawBuilder<number | null> };
  /** Writes the places of everything that `list` returns, for reindexing. */
  placeAll?(transaction: TenantTransaction, workspaceId: string): Promise<void>;
}

export function defineSearchSource(source: SearchSource): SearchSource {
  return source;
}

/** Found by path (`features/<feature>/search-sources/<name>.ts`): a new kind of hit is one file. */
export class SearchSources {
  readonly all: readonly SearchSource[];

  static async load(featuresFolder: string): Promise<SearchSources> {
    const modules = await loadFeatureModules<SearchSource>(featuresFolder, "search-sources");
    return new SearchSources(modules.map(({ definition }) => definition));
  }

  constructor(all: readonly SearchSource[]) {
    this.all = all;
  }

  of(entityType: EntityType): SearchSource {
    const source = this.all.find(({ entityTypes }) => entityTypes.includes(entityType));
    if (!source) throw new Error(`no search source for ${entityType}`);
    return source;
  }
}
