import type { Plant } from "../../testing/plants/plant.ts";

/** Checks the tests of downloads: they find each of these mistakes, planted in a copy of the backend. */
export const downloadPlants: Plant[] = [
  {
    mistake: "a pack has files that the caller cannot see",
    guard: "downloading-readable-only",
    instead: ["rights.roleIn(node.scopeId) !== undefined", "rights !== undefined"],
  },
  {
    mistake: "files in a deleted folder can still be downloaded",
    guard: "nothing-downloaded-from-trash",
  },
  {
    mistake: "a pack has any content whose digest the caller knows",
    guard: "shown-versions-only",
  },
];
