import type { Plant } from "../../testing/plants/plant.ts";

/** Checks the tests of completion: they find each of these mistakes, planted in a copy of the backend. */
export const completionRightsPlants: Plant[] = [
  {
    mistake: "completion goes past rights: hidden files are candidates",
    guard: "completion-shows-visible-files",
    instead: ["visible(readable, leading)", 'visible("all", leading)'],
  },
];

export const completionScopesPlants: Plant[] = [
  {
    mistake: "completion needs no scope",
    guard: "completion-needs-scopes",
    instead: [
      "isAllowed(line.command) ? sources.filter(({ command }) => isAllowed(command)) : []",
      "sources",
    ],
  },
];

export const completionRatePlants: Plant[] = [
  { mistake: "a header doubles the rate of every route", guard: "completion-of-lines-alone" },
];
