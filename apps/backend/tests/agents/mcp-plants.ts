import type { Plant } from "../../testing/plants/plant.ts";

/** Checks the tests of POST /mcp: they notice each of these guards that is removed in a copy of the backend. */
export const mcpPlants: Plant[] = [
  { mistake: "a thousand calls count as one request", guard: "one-message" },
  {
    mistake: "any page may send its visitors here",
    guard: "no-strange-pages",
    instead: ["from !== undefined", "from !== undefined || origin"],
  },
  { mistake: "a token for agents is also a person's", guard: "agents-tokens-stay-theirs" },
  {
    mistake: "a token for several services is for agents",
    guard: "agents-tokens-are-for-them",
    instead: ["audiences(claims).length === 1", "audiences(claims).length > 0"],
  },
  { mistake: "an unknown machine becomes somebody by its agent's token", guard: "agents-admit-nobody" },
];
