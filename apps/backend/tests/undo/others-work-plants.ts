import type { Plant } from "../../testing/plants/plant.ts";

/** Checks the test of others' work: it finds each of these mistakes, planted in a copy of the backend. */
export const othersWorkPlants: Plant[] = [
  {
    mistake: "files of others are removed with a folder",
    guard: "files-of-others-stay",
  },
  {
    mistake: "rows record only their creator",
    migration: "0019_work_of_others.sql",
    instead: ["new.authors := old.authors || app.author();", "new.authors := old.authors;"],
  },
  {
    mistake: "an entry that somebody else has changed since is reverted",
    guard: "own-changes-only",
    instead: ["last === undefined || authors.includes(last.changed_by)", "true"],
  },
  {
    mistake: "records of others go with their collection",
    guard: "records-of-others-stay",
  },
  {
    mistake: "values of others are removed with their field",
    guard: "values-of-others-stay",
  },
  {
    mistake: "only the version shows whether a node is as it was left",
    guard: "node-as-left",
    instead: ["node?.changeId !== left.changeId || node?.version", "node?.version"],
  },
];

/** Too rare in drawn histories to be found by every seed. */
export const movedInPlants: Plant[] = [
  {
    mistake: "files that were moved into a folder are removed with it, whoever created them",
    guard: "moved-in-by-others",
    instead: ["or (walk.came_since and ${changedByOthers(", "or (false and ${changedByOthers("],
  },
];
