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
    instead: ["and document.place_id = place.id", ""],
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
];

export const missedWhereTheIndexIsWrong: Plant[] = [
  {
    mistake: "a page is not read back by its rights",
    guard: "hits-are-checked",
    instead: ["doors.has(id)", "doors.has(id) || true"],
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
