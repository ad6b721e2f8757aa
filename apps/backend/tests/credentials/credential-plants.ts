import type { Plant } from "../../testing/plants/plant.ts";

/** Checks the tests of callers and their credentials: they find each of these mistakes in a copy of the backend. */

export const networkPlants: Plant[] = [
  {
    mistake: "each address of an IPv6 network has an allowance",
    guard: "one-network-one-address",
    instead: ["groups.slice(0, bits / 16)", "groups"],
  },
];

export const strangerPlants: Plant[] = [
  { mistake: "a stranger keeps the connection", guard: "strangers-are-hung-up-on" },
];
