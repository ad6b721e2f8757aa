import type { Plant } from "../../testing/plants/plant.ts";

/** Checks the tests of `next`: they notice each of these guards that is removed in a copy of the backend. */
export const nextPlants: Plant[] = [
  {
    mistake: "following a refusal commits a change",
    guard: "next-changes-nothing",
    instead: ['command.effect === "read" || isAi(runner)', "true"],
  },
  { mistake: "what a change was given is left out of it", guard: "nothing-is-left-out-of-a-change" },
  { mistake: "another word leads to what cannot be undone", guard: "guesses-are-not-grave" },
  {
    mistake: "names that others wrote are called",
    guard: "next-is-in-the-callers-words",
    instead: [".every(isOwn)", ".every(() => true)"],
  },
  {
    mistake: "hidden folders are named on the way to a path",
    guard: "nearest-visible-folder",
    instead: [" || !(await isVisibleAmong(place, leading))", ""],
  },
];
