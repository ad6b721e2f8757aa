import { expect, test } from "vitest";
import { oneEditNeighbours } from "./one-edit-neighbours.ts";

test.each([
  ["carfae", "carafe"],
  ["budgett", "budget"],
  ["recieve", "receive"],
  ["buget", "budget"],
  ["ordor", "order"],
  ["договр", "договор"],
  ["λογσ", "λογοσ"],
])("knows what %s was meant to be", (typed, meant) => {
  expect(oneEditNeighbours(typed)).toContain(meant);
});

test("lists each neighbour once, never the word itself, and a bounded number of them", () => {
  const neighbours = oneEditNeighbours("balloon");
  expect(new Set(neighbours).size).toBe(neighbours.length);
  expect(neighbours).not.toContain("balloon");
  expect(oneEditNeighbours("a".repeat(20)).length).toBeLessThan(1_200);
});

test("keeps the first letter if asked to, unless two letters are swapped", () => {
  const neighbours = oneEditNeighbours("selling", { keepFirst: true });
  expect(neighbours).toEqual(expect.arrayContaining(["spelling", "sealling", "eslling"]));
  for (const other of ["telling", "elling", "aselling"]) expect(neighbours).not.toContain(other);
});
