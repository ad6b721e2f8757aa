// biome-ignore-all lint/suspicious/noTemplateCurlyInString: planted text is template source
import { type Plant, testPlants } from "../../testing/planted-mistake.ts";

/** The searched worlds, or the tests of a wrong index, notice each search guard that is removed in a copy. */
const search = "packages/search/src";
const features = "apps/backend/src/features";

const missedByWorlds: Plant[] = [
  {
    mistake: "the access lists of places are not checked",
    file: `${search}/visibility/visible-documents.ts`,
    code: "and place.acl_scope_id = any(${[...scopeIds]}::uuid[])",
    planted: "and ${scopeIds.length} >= 0",
  },
  {
    mistake: "what is in the trash is searched",
    file: `${search}/visibility/visible-documents.ts`,
    code: "and not place.is_hidden",
    planted: "",
  },
  {
    mistake: "places of any workspace are searched",
    file: `${search}/visibility/visible-documents.ts`,
    code: "and place.workspace_id = any(${[...workspaceIds]}::uuid[])",
    planted: "and ${workspaceIds.length} >= 0",
  },
  {
    mistake: "names that lead somewhere are not found",
    file: `${search}/visibility/visible-documents.ts`,
    code: "(document.place_id in (select id from place) or document.id in (select id from door))",
    planted: "document.place_id in (select id from place)",
  },
  {
    mistake: "callers who see a part are searched as if they saw everything",
    file: `${search}/visibility/visible-documents.ts`,
    code: "index: sql`(document.place_id = any(array(select id from place)) or document.id = any(array(select id from door)))`",
    planted: "index: sql`true`",
  },
  {
    mistake: "lengths are averaged over hidden documents",
    file: `${search}/ranking/statistics.ts`,
    code: "and document.place_id = place.id and",
    planted: "and",
  },
  {
    mistake: "words are counted in hidden documents",
    file: `${search}/ranking/count-words.ts`,
    code: ": [sql``, sql`${visible} and ${matches}`]",
    planted:
      ": [sql``, sql`from app.searchable as document where document.tenant_id = ${tenantId} and ${matches}`]",
  },
  {
    mistake: "the index is not told about a changed access list",
    file: `${features}/files/listeners/index-node.ts`,
    code: 'kind === "CONTENT_CHANGED" || kind === "RENAMED"',
    planted: 'kind === "CONTENT_CHANGED" || kind === "RENAMED" || kind === "ACCESS_CHANGED"',
  },
];

const missedWhereTheIndexIsWrong: Plant[] = [
  {
    mistake: "a page is not read back by its rights",
    file: `${features}/files/search-sources/nodes.ts`,
    code: "return !isTrashed && (mayRead || doors.has(id));",
    planted: "return !isTrashed && (mayRead || doors.has(id) || true);",
  },
  {
    mistake: "a page is not filled up again",
    file: `${features}/search/finding/find-page.ts`,
    code: "} while (shown.length <= limit && last);",
    planted: "} while (false);",
  },
  {
    mistake: "names are suggested from hidden documents too",
    file: `${search}/inspecting/suggest-names.ts`,
    code: "${visibleDocuments(source)} and",
    planted: "from app.searchable as document where document.tenant_id = ${tenantId} and",
  },
];

testPlants(
  missedByWorlds,
  {
    project: "faults",
    test: "apps/backend/tests/search/search-oracle.faults.test.ts",
    says: /Property failed/,
  },
  0,
);
testPlants(missedWhereTheIndexIsWrong, {
  project: "unit",
  test: `${features}/search/commands/query.test.ts`,
  says: /AssertionError/,
});
