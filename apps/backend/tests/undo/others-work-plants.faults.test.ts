import { type Plant, testPlants } from "../../testing/planted-mistake.ts";

/** Checks the test of others' work: it finds each of these mistakes, planted in a copy of the backend. */
const features = "apps/backend/src/features";

const plants: Plant[] = [
  {
    mistake: "files of others are removed with a folder",
    file: `${features}/files/tree/own-subtree.ts`,
    code: "if (subtree.some(({ isOfOthers }) => isOfOthers)) throw takesWorkOfOthers(path);",
    planted: "",
  },
  {
    mistake: "files that were moved into a folder are removed with it, whoever created them",
    file: `${features}/files/tree/subtree-store.ts`,
    code: "or (walk.came_since and ${changedByOthers(",
    planted: "or (false and ${changedByOthers(",
  },
  {
    mistake: "rows record only their creator",
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
    mistake: "values of others are removed with their field",
    file: `${features}/collections/undo-collection.ts`,
    code: "if (removed.length > 0 && ",
    planted: "if (false && ",
  },
  {
    mistake: "only the version shows whether a node is as it was left",
    file: `${features}/files/undo-node.ts`,
    code: "if (!node || !isAsLeft(node, left)) {",
    planted: "if (node?.version !== left.version) {",
  },
];

testPlants(plants, { project: "faults", test: "others-work.faults", says: /undoing/ });
