// biome-ignore-all lint/suspicious/noTemplateCurlyInString: planted text is template source
import type { Plant } from "../../testing/plants/plant.ts";

/** Checks the oracle of rights: it finds each of these mistakes, planted in a copy of the backend. */
export const rightsPlants: Plant[] = [
  {
    mistake: "a session has the rights of its AI member",
    guard: "both-must-have-the-right",
    instead: ["weaker(role, other.roleIn(id))", "role"],
  },
  {
    mistake: "a restriction is not asked for",
    guard: "restrictions-hold",
    instead: ['scope.inherits || membership === "owner" ? inherited : undefined', "inherited"],
  },
  {
    mistake: "everyone includes people who are not in the workspace",
    guard: "everyone-means-members",
    instead: ["membership === undefined ? undefined : scope.everyone", "scope.everyone"],
  },
  {
    mistake: "a moved node still follows the access list of its old place",
    guard: "moved-nodes-change-lists",
  },
  {
    mistake: "a folder with its own access list still inherits from its old place",
    guard: "moved-lists-inherit-anew",
    instead: ["scope.anchor_id = ${rootId} or exists (", "exists ("],
  },
  {
    mistake: "nodes in a deleted folder are still found by id",
    guard: "trashed-folders-hide",
    instead: ["chain.some(({ trashedAt }) => trashedAt !== null)", "node.trashedAt !== null"],
  },
  {
    mistake: "a folder that can be read shows everything below it",
    guard: "walking-visible-only",
    instead: ["visible(readable, leading)", "sql`true`"],
  },
  {
    mistake: "a group within a group gives nothing",
    guard: "groups-in-groups",
    instead: [
      "membership.principal_id = me.id",
      "membership.principal_id = me.id and me.id = ${principalId}",
    ],
  },
];
