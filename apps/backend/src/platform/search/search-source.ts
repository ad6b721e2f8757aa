import { loadFeatureModules } from "@svc/command-router/feature-modules";
import type { TenantTransaction } from "@svc/database/database";
import type { EntityType, SearchDocument } from "@svc/search/index/documents";
import { CoverageCache } from "@svc/search/inspecting/coverage";
import { StatisticsCache } from "@svc/search/ranking/statistics";
import type { Caller } from "../identity/caller.ts";
import type { Reading } from "../text/retry-note.ts";

/** Who asks, and in which transaction: all that a source needs to know of a command. */
interface Asker {
  transaction: TenantTransaction;
  actor: Caller["actor"];
}

/** An entity of a page of hits, read again through the tables of its feature. */
export interface ShownEntity {
  id: string;
  title: string;
  path?: string;
  mediaType?: string;
  workspaceId: string;
  updatedAt: Date;
  /** A stretch of its text, where one was asked for: what is in it, and how many characters stand before it. */
  excerpt?: { text: string; start: number };
}

/** Where a stretch of text is wanted: at its passage where there is one, else around the first of the words as written. */
export interface ExcerptRequest {
  words: readonly string[];
  /** By id, how many characters stand before it. */
  passages: ReadonlyMap<string, number>;
  characters: number;
}

/** All of a tenant, of a workspace, or of a folder and what is below it. */
export interface SearchScope {
  workspaceId?: string;
  folderId?: string;
}

interface Listed {
  id: string;
  entityType: EntityType;
  workspaceId: string;
}

/** One entity, as who looks for it in vain may know it. */
export interface InspectedEntity {
  title: string;
  workspaceId: string;
  /** What is in the trash: itself, something above it, or the workspace. */
  trashed?: string;
  /** Of its text, if it has one to be read. */
  reading?: Reading;
}

/** A kind of hit, or two: what is to be found of it, what there is, and what of it a caller may be shown. */
export interface SearchSource {
  entityTypes: readonly EntityType[];
  /** Documents whose texts may be in memory at the same time. */
  atOnce: number;
  /** As they are now; those that are gone or in the trash are absent. */
  documents(transaction: TenantTransaction, ids: readonly string[]): Promise<SearchDocument[]>;
  /** All that may be found, by id, for who indexes again. */
  list(
    transaction: TenantTransaction,
    scope: SearchScope & { after?: string; limit: number },
  ): Promise<Listed[]>;
  /** How many that are. */
  count(transaction: TenantTransaction, scope: SearchScope): Promise<number>;
  /** Those that the caller may see, by their rights and by row security: the index may be wrong, this may not. */
  show(asker: Asker, ids: readonly string[], excerpt: ExcerptRequest | undefined): Promise<ShownEntity[]>;
  /** One that the caller may see, in the trash or not. */
  inspect(asker: Asker, id: string): Promise<InspectedEntity | undefined>;
  /** What the caller sees the name of without being able to read it. */
  doors?(asker: Asker): Promise<string[]>;
  /** Writes the places of all that `list` lists, for who indexes again. */
  placeAll?(transaction: TenantTransaction, workspaceId: string): Promise<void>;
}

export function defineSearchSource(source: SearchSource): SearchSource {
  return source;
}

/** Found by path (`features/<feature>/search-sources/<name>.ts`): a new kind of hit is one file. */
export class SearchSources {
  readonly all: readonly SearchSource[];
  /** Of what each caller may see of them. */
  readonly statistics: StatisticsCache;
  /** How far meaning reaches of that. */
  readonly coverage: CoverageCache;

  static async load(
    featuresFolder: string,
    statistics = new StatisticsCache(),
    coverage = new CoverageCache(),
  ): Promise<SearchSources> {
    const modules = await loadFeatureModules<SearchSource>(featuresFolder, "search-sources");
    return new SearchSources(
      modules.map(({ definition }) => definition),
      statistics,
      coverage,
    );
  }

  constructor(all: readonly SearchSource[], statistics: StatisticsCache, coverage: CoverageCache) {
    this.all = all;
    this.statistics = statistics;
    this.coverage = coverage;
  }

  of(entityType: EntityType): SearchSource {
    const source = this.all.find(({ entityTypes }) => entityTypes.includes(entityType));
    if (!source) throw new Error(`nobody knows ${entityType}`);
    return source;
  }
}
