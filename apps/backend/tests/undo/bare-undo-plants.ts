import type { Plant } from "../../testing/plants/plant.ts";

/** Checks the model of bare undo: it notices each of these guards that is removed in a copy. */
export const bareUndoPlants: Plant[] = [
  {
    mistake: "bare undo takes what another token of the same person did",
    guard: "bare-undo-is-of-this-credential",
    instead: ["{ actor: actor.id, madeWith }", "{ actor: actor.id }"],
  },
  {
    mistake: "bare undo takes what anybody did",
    guard: "bare-undo-is-of-this-credential",
    instead: ["{ actor: actor.id, madeWith }", "{}"],
  },
];

/** Checks the tests of ends. */
export const endPlants: Plant[] = [
  {
    mistake: "a credential that cannot list operations finds them by guessing",
    guard: "ends-need-the-scope-to-list",
    instead: ["{ actor: actor.id, madeWith }", "{ actor: actor.id }"],
  },
  {
    mistake: "an end means anybody's operation",
    guard: "ends-need-the-scope-to-list",
    instead: ["? ownOperations(context)", "? {}"],
  },
];
