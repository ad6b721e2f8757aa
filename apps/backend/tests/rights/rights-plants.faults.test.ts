// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what is planted is the text of a template
import { type Plant, testPlants } from "../../testing/planted-mistake.ts";

/** The oracle of rights is worth what it finds: each of these mistakes, planted in a copy of the backend, is found. */
const features = "apps/backend/src/features";

const plants: Plant[] = [
  {
    mistake: "a restriction is not asked for",
    file: `${features}/access/rights.ts`,
    code: 'scope.inherits || membership === "owner" ? inherited : undefined',
    planted: "inherited",
  },
  {
    mistake: "everyone is also who is not in the workspace",
    file: `${features}/access/rights.ts`,
    code: "membership === undefined ? undefined : scope.everyone",
    planted: "scope.everyone",
  },
  {
    mistake: "what is moved goes on following the list of its old place",
    file: `${features}/files/tree/placing.ts`,
    code: "if (from !== to) await changeScope(context.transaction, node.id, from, to);",
    planted: "",
  },
  {
    mistake: "a folder with a list of its own goes on inheriting from its old place",
    file: `${features}/files/tree/subtree-store.ts`,
    code: "scope.anchor_id = ${rootId} or exists (",
    planted: "exists (",
  },
  {
    mistake: "what lies in a deleted folder is still found by its id",
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
