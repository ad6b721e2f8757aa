import type { Plant } from "../../testing/plants/plant.ts";

/** Checks `no-escape`: it notices each of these guards that is removed in a copy of the backend. */
export const agentPlants: Plant[] = [
  {
    mistake: "an AI member's own token is enough for everything",
    guard: "people-approve",
    instead: ["isAi(question) &&", "false &&"],
  },
  { mistake: "nobody looks for the approval", guard: "approvals-are-used" },
  {
    mistake: "settings demand nothing",
    guard: "rules-of-the-tenant",
    instead: ["await unit.demandsPerson()", "false"],
  },
  {
    mistake: "AI members undo what the tenant demands an approval for",
    guard: "undo-of-what-the-tenant-demands",
  },
  { mistake: "a question counts as its answer", guard: "only-approved" },
  { mistake: "AI members undo what people approved", guard: "undo-of-what-people-approve" },
  {
    mistake: "AI members confirm without a token",
    guard: "agents-need-tokens",
  },
  {
    mistake: "a preview token works for another session of the same person",
    guard: "previews-of-one-credential",
  },
  {
    mistake: "a preview token works for any line",
    guard: "as-previewed",
  },
  {
    mistake: "a used token is unknown",
    guard: "repeats-get-the-answer",
  },
  {
    mistake: "everybody decides",
    guard: "approvals-of-owners",
    instead: ["ownedBy(ownedWorkspaces)", 'ownedBy("all")'],
  },
  { mistake: "AI members see what others asked for", guard: "agents-see-their-own" },
  { mistake: "service accounts decide", guard: "only-people-decide" },
  { mistake: "the credential that asked decides", guard: "nobody-approves-their-own" },
  {
    mistake: "whoever calls a tool with a person's token is that person",
    guard: "agents-at-mcp",
    instead: ["true", "false"],
  },
  { mistake: "people approve what they may not do", guard: "approvers-may-do-it" },
];
