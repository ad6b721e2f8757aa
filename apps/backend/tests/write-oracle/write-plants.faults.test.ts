import { type Plant, testPlants } from "../../testing/planted-mistake.ts";

/** Checks the write oracle: it notices each of these guards that is removed in a copy of the backend. */
const features = "apps/backend/src/features";
const router = "packages/command-router/src";

const plants: Plant[] = [
  {
    mistake: "an upload replaces what the caller may only read",
    file: `${features}/files/tree/placing.ts`,
    code: 'requireRoleAt(place, "editor");',
    planted: "",
  },
  {
    mistake: "an upload reveals what kind of thing is hidden there",
    file: `${features}/files/tree/placing.ts`,
    code: "if (!(await isVisible(context, place))) throw nameTaken(path);",
    planted: "",
  },
  {
    mistake: "something new can be put into any folder",
    file: `${features}/files/tree/placing.ts`,
    code: 'requireRoleAt(folder, "editor");',
    planted: "",
  },
  {
    mistake: "what the caller cannot see is found",
    file: `${features}/files/tree/tree.ts`,
    code: "if (place && (await isVisible(context, place))) return place;",
    planted: "if (place) return place;",
  },
  {
    mistake: "viewers move files",
    file: `${features}/files/commands/move.ts`,
    code: 'requireRoleAt(from, "editor");',
    planted: "",
  },
  {
    mistake: "viewers delete files",
    file: `${features}/files/commands/delete.ts`,
    code: 'requireRoleAt(place, "editor");',
    planted: "",
  },
  {
    mistake: "a copy takes along what the caller cannot see",
    file: `${features}/files/tree/list-visible-below.ts`,
    code: "readable: rights.readable",
    planted: 'readable: "all"',
  },
  {
    mistake: "anybody finds trashed files",
    file: `${features}/files/trash/trash.ts`,
    code: "if (rights.roleIn(node.scopeId) !== undefined) return",
    planted: "return",
  },
  {
    mistake: "viewers restore files",
    file: `${features}/files/trash/trash.ts`,
    code: 'if (!isAtLeast(rights.roleIn(node.scopeId), "editor")) {',
    planted: "if (false) {",
  },
  {
    mistake: "editors decide who may see something",
    file: `${features}/access/subject.ts`,
    code: 'if (isAtLeast(rights.roleIn(scopeId), "owner")) return;',
    planted: 'if (isAtLeast(rights.roleIn(scopeId), "editor")) return;',
  },
  {
    mistake: "a workspace can lose its last owner",
    file: `${features}/access/change-access.ts`,
    code: "if ((await countOwners(transaction, scopeId)) > 0) return;",
    planted: "return;",
  },
  {
    mistake: "editors add members",
    file: `${features}/members/commands/add.ts`,
    code: 'requireRole(context, workspace, "owner");',
    planted: "",
  },
  {
    mistake: "anybody changes who is in a group",
    file: `${features}/groups/groups.ts`,
    code: "requireAdministrator(context);\n  const { transaction } = context;\n  const group",
    planted: "const { transaction } = context;\n  context.actor.isAdministrator = true;\n  const group",
  },
  {
    mistake: "records can be changed in a collection that the caller cannot see",
    file: `${features}/collections/collections.ts`,
    code: "rights.roleIn(collection.scopeId) === undefined ? undefined : {",
    planted: "false ? undefined : {",
  },
  {
    mistake: "viewers create records",
    file: `${features}/records/commands/create.ts`,
    code: 'requireCollectionRole(place, "editor");',
    planted: "",
  },
  {
    mistake: "viewers update records",
    file: `${features}/records/commands/update.ts`,
    code: 'requireCollectionRole(place, "editor");',
    planted: "",
  },
  {
    mistake: "viewers restore records",
    file: `${features}/records/commands/restore.ts`,
    code: 'requireCollectionRole(place, "editor");',
    planted: "",
  },
  {
    mistake: "editors delete a collection",
    file: `${features}/collections/commands/delete.ts`,
    code: 'requireCollectionRole(place, "owner");',
    planted: 'requireCollectionRole(place, "editor");',
  },
  {
    mistake: "guests rename a workspace",
    file: `${features}/workspaces/commands/rename.ts`,
    code: 'requireRole(context, workspace, "owner");',
    planted: "",
  },
  {
    mistake: "anybody undoes anybody's operation",
    file: `${features}/operations/operations.ts`,
    code: "found.actorId === actor.id || actor.isAdministrator",
    planted: "found.actorId !== undefined || actor.isAdministrator",
  },
  {
    mistake: "undo needs no scope of what it undoes",
    file: "apps/backend/src/platform/commands/command-unit.ts",
    code: "requireMayRun(command, call);",
    planted: "",
  },
  {
    mistake: "scopes are not checked",
    file: `${router}/require-may-run.ts`,
    code: 'if (held.includes("*")) return;',
    planted: "if (held.length > 0) return;",
  },
  {
    mistake: "AI members do what is left to people",
    file: `${router}/require-may-run.ts`,
    code: 'if (runner.actorKind === "ai" || runner.inSession) requireLeftToAi(command);',
    planted: "",
  },
  {
    mistake: "a preview commits",
    file: `${router}/dispatch.ts`,
    code: "await ports.rollback(async (unit)",
    planted: "await ports.commit(async (unit)",
  },
  {
    mistake: "everybody sets the budget",
    file: `${features}/budget/commands/set.ts`,
    code: "requireAdministrator(context);\n    const before",
    planted: "const before",
  },
];

testPlants(plants, {
  project: "faults",
  test: "apps/backend/tests/write-oracle/write-oracle.faults.test.ts",
  says: /Property failed/,
});
