import type { Plant } from "../../testing/plants/plant.ts";

/** Checks the tests of `batch run`: they notice each of these guards that is removed. */
export const batchPlants: Plant[] = [
  { mistake: "lines of a batch are not checked", guard: "parts-are-commands" },
  { mistake: "access is changed in a batch", guard: "no-access-in-batches" },
];
