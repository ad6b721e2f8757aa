import { encodeId } from "@svc/protocol/typed-id";
import { withinTime } from "@svc/search/visibility/within-time";
import type { CommandContext } from "../../../platform/commands/command-context.ts";
import { knownPeopleByWords, principalId } from "../../access/access.ts";
import { ownQueries, popularQueries } from "../../query-log/query-log.ts";
import { addressesOf, findNamedWorkspaces } from "../../workspaces/workspaces.ts";
import { idKinds } from "../finding/show/hit-view.ts";
import { findNamed, isFound } from "./find-named.ts";
import type { Suggestion } from "./suggestion.ts";

/** Of one statement. Whoever types has typed on by then. */
const limitMillis = 300;
/** Fewer people could be recognised by what they look for. */
const leastPeople = 5;
/** For each, a search checks whether the caller finds something with it. */
const mostPopular = 3;
/** Before that check, so that those that the caller cannot see do not take the places of others. */
const mostChecked = 10;
/** As long as queries are kept. */
const keptMillis = 90 * 24 * 60 * 60_000;

/**
 * What somebody may mean who has typed this much: everything from the database, nothing from a model. What takes too
 * long is left out.
 */
export async function suggest(context: CommandContext, typed: string, limit: number): Promise<Suggestion[]> {
  const found: Suggestion[] = [];
  const popular: Suggestion[] = [];
  await withinTime(context.transaction, limitMillis, async () => {
    for (const stage of [ownOnes, workspaces, people, names])
      found.push(...(await stage(context, typed, limit)));
  });
  // By itself and last: what others asked must not decide whether the caller's own things are found in time.
  await withinTime(context.transaction, limitMillis, async () => {
    popular.push(...(await popularOnes(context, typed, limit)));
  });
  const own = found.filter(({ kind }) => kind === "recent").length;
  return withoutRepeats(found.toSpliced(own, 0, ...popular));
}

async function ownOnes(
  { transaction, actor }: CommandContext,
  typed: string,
  limit: number,
): Promise<Suggestion[]> {
  if (actor.onBehalfOf) return [];
  const queries = await ownQueries(transaction, { typed, limit });
  return queries.map((query) => ({ kind: "recent", text: query, query }));
}

async function popularOnes(context: CommandContext, typed: string, limit: number): Promise<Suggestion[]> {
  const since = new Date(context.now.getTime() - keptMillis);
  const most = Math.min(limit, mostPopular);
  const queries = await popularQueries(context.transaction, {
    typed,
    since,
    leastPeople,
    limit: mostChecked,
  });
  const visible: Suggestion[] = [];
  for (const query of queries) {
    if (visible.length === most) break;
    // guard: popular-if-found
    if (await isFound(context, query)) visible.push({ kind: "popular", text: query, query });
  }
  return visible;
}

async function workspaces(context: CommandContext, typed: string, limit: number): Promise<Suggestion[]> {
  const found = await findNamedWorkspaces(context, typed, limit);
  const prefixes = await prefixesHere(
    context,
    found.map(({ id }) => id),
  );
  return found.map(({ id, name }) => {
    const address = prefixes.get(id) ?? `${encodeId("workspace", id)}:`;
    return {
      kind: "workspace",
      text: name,
      query: `in:${address.slice(0, -1)}`,
      address: `${address}/`,
      entityType: "WORKSPACE",
      id: encodeId("workspace", id),
    };
  });
}

async function people(context: CommandContext, typed: string, limit: number): Promise<Suggestion[]> {
  const known = await knownPeopleByWords(context, typed, { limit });
  return known.map((person) => {
    const id = principalId(person);
    return { kind: "person", text: person.name, query: `owner:${id}`, id };
  });
}

async function names(context: CommandContext, typed: string, limit: number): Promise<Suggestion[]> {
  const hits = await findNamed(context, typed, limit);
  const prefixes = await prefixesHere(
    context,
    hits.map(({ entity }) => entity.workspaceId),
  );
  return hits.map(({ document: { entityType, id }, entity: { title, path, workspaceId } }) => {
    const shownId = encodeId(idKinds[entityType], id);
    const place = prefixes.get(workspaceId) ?? "";
    return {
      kind: "name",
      text: title,
      address: entityType === "RECORD" || path === undefined ? shownId : `${place}${path}`,
      entityType,
      id: shownId,
    };
  });
}

/** Always with the workspace: whoever types here has not chosen one. */
async function prefixesHere(
  context: CommandContext,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  return new Map([...(await addressesOf(context, ids))].map(([id, { prefix }]) => [id, prefix]));
}

/** A popular query that is also the caller's own is shown once. */
function withoutRepeats(found: readonly Suggestion[]): Suggestion[] {
  const own = new Set(
    found.flatMap(({ kind, text }) => (kind === "recent" ? [text.toLowerCase().replace(/\s+/gu, " ")] : [])),
  );
  return found.filter(({ kind, text }) => kind !== "popular" || !own.has(text));
}
