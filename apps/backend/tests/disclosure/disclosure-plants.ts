import type { Plant } from "../../testing/plants/plant.ts";

/** Checks the comparison of two worlds: it notices each of these guards that is removed in a copy. */
export const disclosurePlants: Plant[] = [
  {
    mistake: "every group is listed",
    guard: "known-groups-only",
    instead: ['await isKnown(context, sql.ref("principal.id"))', "sql<boolean>`true`"],
  },
  {
    mistake: "anybody can be named",
    guard: "known-people-only",
    instead: ['await isKnown(context, sql.ref("principal.id"))', "sql<boolean>`true`"],
  },
  {
    mistake: "an entry in any list makes somebody known",
    guard: "known-by-readable-lists",
    instead: ["held.id and entry.scope_id", "held.id or entry.scope_id"],
  },
  {
    mistake: "somebody is looked up before the right to invite is checked",
    guard: "ownership-before-lookup",
  },
  {
    mistake: "guests read the lists above what they can see",
    guard: "readable-lists-only",
    instead: [".filter(isReadable(subject))", ""],
  },
  {
    mistake: "hidden workspaces are found by id",
    guard: "visible-workspaces-only",
    instead: ["workspace.role !== null || rights.seesAnything", "rights"],
  },
  {
    mistake: "anybody is told that files are being embedded",
    guard: "runs-of-own-workspaces",
    instead: ["isAdministrator || takesPart", "isAdministrator || !takesPart || takesPart"],
  },
  {
    mistake: "hidden files are listed",
    guard: "visible-places-only",
    instead: [" && (await isVisible(context, place))", ""],
  },
];
