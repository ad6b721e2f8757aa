import type { ArgumentSpec } from "../arguments/argument-spec.ts";
import { letters, suggest } from "../arguments/suggest.ts";

/** Our names of arguments, and what callers say instead. As with keywords of commands, they only ever lead to a hint. */
const saidInstead: Record<string, string> = {
  target:
    "path file folder item id name record collection workspace token destination dest dst to into uri address",
  source: "path file from src item",
  folder: "path dir directory target location in parent",
  subject: "path target file folder resource item id address",
  entity: "path file target document",
  person: "user member email who principal name account id",
  account: "user person member email name id",
  member: "agent person name id",
  group: "team name id target",
  collection: "target table name",
  operation: "id target",
  approval: "id target",
  query: "q text search words terms question keywords",
  name: "newname title label pattern glob query person text",
  typed: "q query text prefix",
  lines: "commands operations steps calls",
  limit: "max maxresults count size pagesize perpage top n first rows",
  cursor: "next nextcursor page pagetoken after",
  set: "values value fields field data record",
  filter: "where filters condition",
  sort: "order orderby sortby",
  field: "fields columns schema",
  depth: "levels maxdepth level",
  role: "permission access level",
  model: "name id",
  into: "folder target destination to",
  body: "text content description",
  recursive: "deep all",
  passages: "snippets",
  mode: "type method",
  entityTypes: "types type kinds",
  type: "kind",
  maxTokens: "tokens tokenbudget budget",
};

/**
 * The argument that a caller meant by a name that the command does not know: written differently, called differently
 * or misspelled. Undefined unless exactly one of those that are still free fits.
 */
export function argumentMeant(typed: string, free: readonly ArgumentSpec[]): ArgumentSpec | undefined {
  const word = letters(typed);
  if (word === "") return undefined;
  const same = free.filter(({ name }) => letters(name) === word);
  if (same.length > 0) return only(same);
  const called = free.filter(({ name }) => isSaidFor(name, word));
  if (called.length > 0) return only(called.filter(({ required }) => required)) ?? only(called);
  const near = suggest(
    typed,
    free.map(({ name }) => name),
  );
  return free.find(({ name }) => name === near);
}

function isSaidFor(name: string, word: string): boolean {
  const said = (saidInstead[name] ?? "").split(" ");
  // `recordId` and `collectionName` are a record and a collection.
  const bare = word.replace(/(?:id|ids|name|path)$/, "");
  return said.includes(word) || (bare !== "" && (letters(name) === bare || said.includes(bare)));
}

function only<T>(found: readonly T[]): T | undefined {
  return found.length === 1 ? found[0] : undefined;
}
