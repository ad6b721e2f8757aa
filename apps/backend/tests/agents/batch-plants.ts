import type { Plant } from "../../testing/plants/plant.ts";

/** Checks the tests of `batch run`: they notice each of these guards that is removed. */
export const batchPlants: Plant[] = [
  { mistake: "lines of a batch are not checked", guard: "parts-are-commands" },
  {
    mistake: "access in a batch needs nobody's approval",
    guard: "batches-reach-as-far",
    instead: ['=== "outward"', '=== "inside" && false'],
  },
  {
    mistake: "lines of a batch have no audit entries",
    guard: "lines-are-audited",
    instead: ["this.#lines.map(", "this.#lines.slice(0, 0).map("],
  },
  { mistake: "lines that are undone have no audit entries", guard: "undone-lines-are-audited" },
  {
    mistake: "an approved batch makes things in other folders of the same names",
    guard: "new-things-stay-in-their-place",
  },
  {
    mistake: "an approved batch moves things to another folder of the same name",
    guard: "moves-go-where-previewed",
  },
];
