import type { Plant } from "../../testing/plants/plant.ts";

/** The tests of `files history` and `people find` notice each guard that is removed in a copy. */
export const historyPlants: Plant[] = [
  {
    mistake: "a move names folders that the caller cannot see",
    guard: "history-shows-visible-folders",
    instead: ["(folder && (rights.roleIn(folder.scopeId) || leading.has(id)))", "folder"],
  },
  { mistake: "a folder on the way tells who changed it", guard: "history-needs-viewer" },
];

export const peoplePlants: Plant[] = [
  {
    mistake: "workspaces are named whose members the caller cannot list",
    guard: "people-in-listed-workspaces",
    instead: ["rights.roleIn(id) !== undefined", "rights"],
  },
];
