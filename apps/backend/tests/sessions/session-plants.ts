import type { Plant } from "../../testing/plants/plant.ts";

/** Checks the tests of sessions: they notice each of these guards that is removed in a copy of the backend. */
export const sessionPlants: Plant[] = [
  { mistake: "a session works without its ticket", guard: "sessions-need-their-ticket" },
  {
    mistake: "a session for one workspace sees all",
    guard: "sessions-stay-in-their-workspace",
    instead: ["onBehalfOf.workspaceId !== workspaceId", "false"],
  },
  {
    mistake: "a session has the role of its AI member in a workspace",
    guard: "roles-of-both",
    instead: ["(await rightsIn(context, row.id)).roleIn(row.id) ?? null", "row.role"],
  },
  {
    mistake: "a session knows whom its AI member knows",
    guard: "known-to-both",
    instead: ["actor.onBehalfOf ?", "false as boolean ?"],
  },
  {
    mistake: "a session runs every command",
    guard: "sessions-run-their-commands",
    instead: ["!commands ||", "true ||"],
  },
  {
    mistake: "a session knows what its AI member did for others",
    guard: "sessions-have-their-own-operations",
    instead: ["actor.onBehalfOf ?", "false as boolean ?"],
  },
  { mistake: "people open as many sessions as they like", guard: "few-sessions" },
  {
    mistake: "sessions go on when their account is enabled again",
    guard: "sessions-end-with-accounts",
    instead: ["isDisabled ? await", "(isDisabled && Date.now() < 0) ? await"],
  },
  { mistake: "somebody opens a session while they are being disabled", guard: "no-sessions-of-the-disabled" },
  { mistake: "a session creates workspaces", guard: "sessions-create-no-workspaces" },
  { mistake: "searches of a session are suggested to others", guard: "sessions-are-not-logged" },
  {
    mistake: "everybody ends everybody's sessions",
    guard: "own-sessions-only",
    instead: ["found.personId === actor.id || actor.isAdministrator", "true as boolean"],
  },
];
