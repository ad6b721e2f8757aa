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
  {
    mistake: "callers choose the ids of requests",
    guard: "callers-choose-no-id",
    instead: ["() => randomUUID()", "({ headers: sent }) => String(sent[headers.requestId] ?? randomUUID())"],
  },
  { mistake: "a stranger keeps the connection", guard: "strangers-are-hung-up-on" },
];

export const scopePlants: Plant[] = [
  { mistake: "a token gets a scope that does not exist", guard: "only-scopes-that-exist" },
  {
    mistake: "a token gets scopes that its creator lacks",
    guard: "own-scopes-only",
    instead: ["missingScopes(wanted.scopes, own.scopes)", "missingScopes(wanted.scopes, wanted.scopes)"],
  },
];

export const rotationPlants: Plant[] = [
  {
    mistake: "a leaked secret works for another day",
    guard: "leaked-secrets-end",
    instead: [".default(0)", ".default(24)"],
  },
];

export const formulaPlants: Plant[] = [
  {
    mistake: "an export writes formulas",
    guard: "exports-run-nothing",
    instead: ["formula.test(text)", "text === formula.source"],
  },
  {
    mistake: "an import keeps the marks of an export",
    guard: "marks-are-read-back",
    instead: ["cell.slice(1)", "cell"],
  },
];

export const contextPlants: Plant[] = [
  {
    mistake: "every token lists workspaces",
    guard: "context-has-scopes",
    instead: ["mayRun(command, runner)", "true"],
  },
];
