import { type Plant, testPlants } from "../../testing/planted-mistake.ts";

/** The test of others' work is worth what it finds: each of these mistakes, planted in a copy of the backend, is found. */
const features = "apps/backend/src/features";

const plants: Plant[] = [
  {
    mistake: "what others have put into a folder goes with it",
    file: `${features}/files/tree/own-subtree.ts`,
    code: "if (subtree.some(({ isOfOthers }) => isOfOthers)) throw takesWorkOfOthers(path);",
    planted: "",
  },
  {
    mistake: "what was moved into a folder goes with it, whoever made it",
    file: `${features}/files/tree/subtree-store.ts`,
    code: "or (walk.came_since and ${changedByOthers(",
    planted: "or (false and ${changedByOthers(",
  },
  {
    mistake: "rows know only who made them",
    file: "packages/database/migrations/0019_work_of_others.sql",
    code: "new.authors := old.authors || app.author();",
    planted: "new.authors := old.authors;",
  },
  {
    mistake: "an entry that somebody else has changed since is reverted",
    file: "apps/backend/src/platform/commands/last-change.ts",
    code: "last === undefined || authors.includes(last.changed_by)",
    planted: "true",
  },
  {
    mistake: "records of others go with their collection",
    file: `${features}/collections/undo-collection.ts`,
    code: "if (await hasWorkOfOthers(transaction, collection.id, ownWork(context, operation))) {",
    planted: "if (false) {",
  },
  {
    mistake: "values of others go with their field",
    file: `${features}/collections/undo-collection.ts`,
    code: "if (removed.length > 0 && ",
    planted: "if (false && ",
  },
  {
    mistake: "the version alone tells whether a node is as it was left",
    file: `${features}/files/undo-node.ts`,
    code: "if (!node || !isAsLeft(node, left)) {",
    planted: "if (node?.version !== left.version) {",
  },
];

testPlants(plants, { project: "faults", test: "others-work.faults", says: /undoing/ });
