// biome-ignore-all lint/suspicious/noTemplateCurlyInString: planted text is template source
import type { Plant } from "../../testing/plants/plant.ts";

/** The searched worlds, or the tests of a wrong index, notice each search guard that is removed in a copy. */
export const missedByWorlds: Plant[] = [
  {
    mistake: "the access lists of places are not checked",
    guard: "readable-places-only",
    instead: ["and place.acl_scope_id = any(${[...scopeIds]}::uuid[])", "and ${scopeIds.length} >= 0"],
  },
  {
    mistake: "what is in the trash is searched",
    guard: "live-places-in-workspace",
    instead: ["and not place.is_hidden", ""],
  },
  {
    mistake: "places of any workspace are searched",
    guard: "live-places-in-workspace",
    instead: [
      "and place.workspace_id = any(${[...workspaceIds]}::uuid[])",
      "and ${workspaceIds.length} >= 0",
    ],
  },
  {
    mistake: "names that lead somewhere are not found",
    guard: "doors-are-visible",
    instead: [" or document.id in (select id from door)", ""],
  },
  {
    mistake: "callers who see a part are searched as if they saw everything",
    guard: "visible-by-index",
    instead: [
      "(document.place_id = any(array(select id from place)) or document.id = any(array(select id from door)))",
      "true",
    ],
  },
  {
    mistake: "lengths are averaged over hidden documents",
    guard: "lengths-of-visible",
    instead: ["where place_id in (select id from place)", ""],
  },
  {
    mistake: "words are counted in hidden documents",
    guard: "words-of-visible",
    instead: [
      ": [sql``, sql`${visible} and",
      ": [sql``, sql`from app.searchable as document where document.tenant_id = ${tenantId} and",
    ],
  },
  {
    mistake: "the index is not told about a changed access list",
    guard: "access-changes-move-places",
    instead: ['kind === "RENAMED"', 'kind === "RENAMED" || kind === "ACCESS_CHANGED"'],
  },
  {
    mistake: "words are read in languages of hidden texts",
    guard: "languages-of-visible",
    instead: ["source,", '{ ...source, visibility: { ...source.visibility, scopeIds: "all" } },'],
  },
];

export const missedByPaths: Plant[] = [
  {
    mistake: "names of hidden folders count",
    guard: "path-folders-of-visible",
    instead: [
      'visibleDocuments({ ...source, filters: onlyFolders, reach: "row" })',
      "sql`from app.searchable as document where document.tenant_id = ${source.tenantId}`",
    ],
  },
  {
    mistake: "hidden folders below a visible one are looked through",
    guard: "paths-through-visible",
    instead: ["(next.id in (select id from place) or next.id in (select id from door))", "true"],
  },
];

export const missedByExplanations: Plant[] = [
  {
    mistake: "an explanation shows that a hidden file exists",
    guard: "hidden-nodes-are-missing",
  },
  {
    mistake: "an explanation shows that a hidden record exists",
    guard: "hidden-records-are-missing",
  },
];

export const missedByCounts: Plant[] = [
  {
    mistake: "hidden documents are counted",
    guard: "counts-of-visible",
    instead: [
      "${visibleDocuments(source)}",
      "from app.searchable as document where document.tenant_id = ${tenantId}",
    ],
  },
];

export const missedByTypos: Plant[] = [
  {
    mistake: "a word is not corrected because a hidden document has it",
    guard: "unknown-among-visible",
    instead: [
      "select ${visible} and",
      "select from app.searchable as document where document.tenant_id = ${tenantId} and ${visible !== undefined} and",
    ],
  },
  {
    mistake: "words are corrected to words of hidden documents",
    guard: "neighbours-of-visible",
    instead: [
      "${visibleDocuments({ ...source, reach })} and",
      "from app.searchable as document where document.tenant_id = ${tenantId} and",
    ],
  },
];

export const missedWhereTheIndexIsWrong: Plant[] = [
  {
    mistake: "a page is not read back by its rights",
    guard: "hits-are-checked",
    instead: ["doors.has(id)", "doors.has(id) || true"],
  },
  {
    mistake: "records of a page are not read back by their rights",
    guard: "records-are-checked",
    instead: ["!== undefined", "!== null"],
  },
  {
    mistake: "workspaces of a page are not read back by their rights",
    guard: "workspaces-are-checked",
    instead: ["rights.get(id)?.seesAnything", "rights !== undefined && id"],
  },
  {
    mistake: "a page is not filled up again",
    guard: "pages-are-filled",
    instead: ["shown.length <= limit && last", "false"],
  },
  {
    mistake: "names are suggested from hidden documents too",
    guard: "suggestions-of-visible",
    instead: [
      "${visibleDocuments(source)} and",
      "from app.searchable as document where document.tenant_id = ${tenantId} and",
    ],
  },
];

const everything = "sql`from app.searchable as document where document.tenant_id = ${tenantId}`";

/** What a request may name, sort and count. */
export const missedByRequests: Plant[] = [
  {
    mistake: "a hidden place is told from one that does not exist",
    guard: "named-places-are-visible",
    instead: ["(place.id in (select id from place) or place.id in (select id from door))", "true"],
  },
  {
    mistake: "somebody unknown is told from somebody who does not exist",
    guard: "owners-are-known",
    instead: ['await isKnown(context, sql.ref("principal.id"))', "sql<boolean>`${isKnown !== undefined}`"],
  },
  {
    mistake: "a filter tells who created a folder that only leads somewhere",
    guard: "owners-of-readable",
    instead: ["document.place_id in (select id from place)", "true"],
  },
  {
    mistake: "a hit tells who created a folder that only leads somewhere",
    guard: "owners-of-readable-nodes",
    instead: ["=== undefined", "=== null"],
  },
  {
    mistake: "hidden documents are sorted",
    guard: "sorted-of-visible",
    instead: ["visibleDocuments(source)", everything],
  },
  {
    mistake: "hidden documents are counted in facets",
    guard: "facets-of-visible",
    instead: ["visibleDocuments(source)", everything],
  },
  {
    mistake: "a facet tells who created a folder that only leads somewhere",
    guard: "owner-facets-of-readable",
    instead: ["document.place_id in (select id from place)", "true"],
  },
  {
    mistake: "a hidden workspace with the same slug changes addresses",
    guard: "namesakes-are-visible",
    instead: ["isVisible(transaction, visible)", 'isVisible(transaction, "all")'],
  },
];

export const missedByTiers: Plant[] = [
  {
    mistake: "hidden documents are ranked by tiers",
    guard: "tiers-of-visible",
    instead: [
      "visibleDocuments(source)",
      "sql`from app.searchable as document where document.tenant_id = ${source.tenantId}`",
    ],
  },
  {
    mistake: "a page is believed to be proved by any bound",
    guard: "pages-are-proved",
    instead: ["chosen.bound", "0"],
  },
  {
    mistake: "a document without tiers is looked for by tiers",
    guard: "every-document-has-tiers",
    instead: ["await hasTiers(transaction, query.source.shelves)", "hasTiers !== undefined"],
  },
];

export const missedBySamples: Plant[] = [
  {
    mistake: "hidden documents are sampled",
    guard: "sample-of-visible",
    instead: [
      "visibleDocuments(source)",
      "sql`from app.searchable as document where document.tenant_id = ${tenantId}`",
    ],
  },
];
