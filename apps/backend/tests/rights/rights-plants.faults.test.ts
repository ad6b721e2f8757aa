// biome-ignore-all lint/suspicious/noTemplateCurlyInString: planted text is template source
import { type Plant, testPlants } from "../../testing/planted-mistake.ts";

/** Checks the oracle of rights: it finds each of these mistakes, planted in a copy of the backend. */
const features = "apps/backend/src/features";

const plants: Plant[] = [
  {
    mistake: "a restriction is not asked for",
    file: `${features}/access/rights.ts`,
    code: 'scope.inherits || membership === "owner" ? inherited : undefined',
    planted: "inherited",
  },
  {
    mistake: "everyone includes people who are not in the workspace",
    file: `${features}/access/rights.ts`,
    code: "membership === undefined ? undefined : scope.everyone",
    planted: "scope.everyone",
  },
  {
    mistake: "a moved node still follows the access list of its old place",
    file: `${features}/files/tree/placing.ts`,
    code: "if (from !== to) await changeScope(context.transaction, node.id, from, to);",
    planted: "",
  },
  {
    mistake: "a folder with its own access list still inherits from its old place",
    file: `${features}/files/tree/subtree-store.ts`,
    code: "scope.anchor_id = ${rootId} or exists (",
    planted: "exists (",
  },
  {
    mistake: "nodes in a deleted folder are still found by id",
    file: `${features}/files/tree/tree.ts`,
    code: "chain.some(({ trashedAt }) => trashedAt !== null)",
    planted: "node.trashedAt !== null",
  },
  {
    mistake: "a group within a group gives nothing",
    file: `${features}/access/access-store.ts`,
    code: "on membership.tenant_id = ${tenantId} and membership.principal_id = me.id",
    planted:
      "on membership.tenant_id = ${tenantId} and membership.principal_id = me.id and me.id = ${principalId}",
  },
];

testPlants(plants, {
  project: "faults",
  test: "apps/backend/tests/rights/rights-oracle.faults.test.ts",
  says: /Property failed/,
});
