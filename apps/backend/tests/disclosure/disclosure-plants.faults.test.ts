import { type Plant, testPlants } from "../../testing/planted-mistake.ts";

/** Checks the comparison of two worlds: it notices each of these guards that is removed in a copy. */
const features = "apps/backend/src/features";

const plants: Plant[] = [
  {
    mistake: "every group is listed",
    file: `${features}/groups/commands/list.ts`,
    code: 'isVisible: await isKnown(context, sql.ref("principal.id")),',
    planted: "isVisible: sql<boolean>`true`,",
  },
  {
    mistake: "anybody can be named",
    file: `${features}/access/principals.ts`,
    code: 'return findOne(context, person, await isKnown(context, sql.ref("principal.id")));',
    planted: "return findOne(context, person, sql<boolean>`true`);",
  },
  {
    mistake: "an entry in any list makes somebody known",
    file: `${features}/access/is-known.ts`,
    code: "entry.principal_id = held.id and entry.scope_id = any(",
    planted: "entry.principal_id = held.id or entry.scope_id = any(",
  },
  {
    mistake: "somebody is looked up before the right to invite is checked",
    file: `${features}/access/grantee.ts`,
    code: "requireOwnership(subject);\n",
    planted: "",
  },
  {
    mistake: "guests read the lists above what they can see",
    file: `${features}/access/explain.ts`,
    code: "inForce.filter(isReadable(subject))",
    planted: "inForce",
  },
  {
    mistake: "hidden workspaces are found by id",
    file: `${features}/workspaces/workspaces.ts`,
    code: "return match.role !== null || rights.seesAnything ? [workspace] : [];",
    planted: "return rights ? [workspace] : [];",
  },
  {
    mistake: "anybody is told that files are being embedded",
    file: `${features}/embeddings/commands/status.ts`,
    code: "isAdministrator || takesPart ? await readRun(transaction) : undefined",
    planted: "isAdministrator || !takesPart || takesPart ? await readRun(transaction) : undefined",
  },
  {
    mistake: "hidden files are listed",
    file: `${features}/files/tree/tree.ts`,
    code: "if (place && (await isVisible(context, place))) return place;",
    planted: "if (place) return place;",
  },
];

testPlants(plants, {
  project: "faults",
  test: "apps/backend/tests/disclosure/disclosure.faults.test.ts",
  says: /to deeply equal/,
});
