/** What other features may know of access. */

export { countOwners, deleteEntry, findEntry, principalsOf, putEntry, scopesOf } from "./access-store.ts";
export { allRights, forgetRights, rememberRights, rightsIn } from "./caller-rights.ts";
export { hasWords } from "./has-words.ts";
export { isKnown } from "./is-known.ts";
export { isNamed } from "./is-named.ts";
export { findKnownPeople, knownPeople } from "./known-people.ts";
export { type FoundPerson, knownPeopleByWords } from "./people-by-words.ts";
export { Person, type Principal, principalId, requireInvitee, requirePrincipal } from "./principals.ts";
export type { PrincipalKind } from "./principals-store.ts";
export type { Rights, ScopeRow } from "./rights.ts";
export { isAtLeast, type Role, withArticle } from "./role.ts";
