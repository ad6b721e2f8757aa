import type { Plant } from "../../testing/plants/plant.ts";

/** Checks the write oracle: it notices each of these guards that is removed in a copy of the backend. */
export const writePlants: Plant[] = [
  // First, because a sample plants only this one: any caller can meet it, so few worlds are enough.
  {
    mistake: "viewers delete files",
    guard: "deleting-needs-editor",
  },
  {
    mistake: "an upload replaces what the caller may only read",
    guard: "replacing-needs-editor",
  },
  {
    mistake: "an upload reveals what kind of thing is hidden there",
    guard: "hidden-names-are-taken",
  },
  {
    mistake: "something new can be put into any folder",
    guard: "adding-needs-editor",
  },
  {
    mistake: "what the caller cannot see is found",
    guard: "visible-places-only",
    instead: [" && (await isVisible(context, place))", ""],
  },
  {
    mistake: "viewers move files",
    guard: "moving-needs-editor",
  },
  {
    mistake: "a copy takes along what the caller cannot see",
    guard: "copying-readable-only",
    instead: ["readable: rights.readable", 'readable: "all"'],
  },
  {
    mistake: "anybody finds trashed files",
    guard: "trash-readable-only",
    instead: ["if (rights.roleIn(node.scopeId) !== undefined)", ""],
  },
  {
    mistake: "viewers restore files",
    guard: "restoring-needs-editor",
  },
  {
    mistake: "editors decide who may see something",
    guard: "access-needs-owner",
    instead: ['"owner"', '"editor"'],
  },
  {
    mistake: "a workspace can lose its last owner",
    guard: "last-owner-stays",
    instead: ["if ((await countOwners(transaction, scopeId)) > 0)", ""],
  },
  {
    mistake: "editors add members",
    guard: "inviting-needs-owner",
  },
  {
    mistake: "anybody changes who is in a group",
    guard: "groups-need-administrator",
    instead: ["requireAdministrator(context)", "context.actor.isAdministrator = true"],
  },
  {
    mistake: "records can be changed in a collection that the caller cannot see",
    guard: "readable-collections-only",
    instead: ["rights.roleIn(collection.scopeId) === undefined", "false"],
  },
  {
    mistake: "viewers create records",
    guard: "creating-records-needs-editor",
  },
  {
    mistake: "viewers update records",
    guard: "updating-records-needs-editor",
  },
  {
    mistake: "viewers restore records",
    guard: "restoring-records-needs-editor",
  },
  {
    mistake: "editors delete a collection",
    guard: "deleting-collections-needs-owner",
    instead: ['"owner"', '"editor"'],
  },
  {
    mistake: "guests rename a workspace",
    guard: "renaming-workspaces-needs-owner",
  },
  {
    mistake: "anybody undoes anybody's operation",
    guard: "own-operations-only",
    instead: ["actor.isAdministrator ? {} : ownOperations(context)", "{}"],
  },
  {
    mistake: "undo needs no scope of what it undoes",
    guard: "undo-needs-scopes",
  },
  {
    mistake: "scopes are not checked",
    guard: "scopes-are-held",
    instead: ['held.includes("*")', "held.length > 0"],
  },
  {
    mistake: "AI members do what is left to people",
    guard: "left-to-people",
  },
  {
    mistake: "a preview commits",
    guard: "previews-roll-back",
    instead: ["ports.rollback", "ports.commit"],
  },
  {
    mistake: "everybody sets the budget",
    guard: "budget-needs-administrator",
  },
];
