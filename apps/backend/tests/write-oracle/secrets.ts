import type { Operation } from "./lines/attempt.ts";
import { digestOf, type Model } from "./model.ts";
import type { Person } from "./things.ts";
import { uuidOf } from "./uuid-of.ts";

/** Everything that somebody cannot read, by kind: none of it may appear in an answer to that person. */
export function secretsFor(model: Model, who: Person, operations: readonly Operation[]): Map<string, string> {
  const secret = new Map<string, string>();
  const open = new Set<string>();
  const tell = (isOpen: boolean, what: string, texts: readonly string[]) => {
    for (const text of texts) {
      if (isOpen) open.add(text);
      else secret.set(text, what);
    }
  };

  for (const workspace of model.workspaces) {
    const { id, name, slug } = workspace;
    tell(model.knowsWorkspace(who, workspace), "a workspace", [...idForms(id), name, slug]);
  }
  for (const node of model.nodes) {
    const isReadable = model.role(who, node) !== undefined;
    tell(isReadable || model.sees(who, node), `a ${node.kind}`, [...idForms(node.id), node.name]);
    tell(isReadable, "a content", node.versions.flatMap(contentForms));
  }
  for (const collection of model.collections) {
    const isReadable = model.role(who, collection) !== undefined;
    const { id, name, slug, fields, records } = collection;
    tell(isReadable, "a collection", [...idForms(id), name, slug, ...fields.map((field) => field.name)]);
    for (const record of records) {
      tell(isReadable, "a record", [...idForms(record.id), ...record.values.values()]);
    }
  }
  for (const { id, name } of model.groups) tell(model.knows(who, name), "a group", [...idForms(id), name]);
  for (const { id, name } of model.people) tell(model.knows(who, name), "a person", [...idForms(id), name]);
  for (const { id, name } of model.tokens) tell(who.isAdministrator, "a token", [...idForms(id), name]);
  for (const { id, actor } of operations) {
    tell(who.isAdministrator || actor.name === who.name, "an operation", idForms(id));
  }
  // Fields that every collection has are not canaries; nor is anything in readable content.
  const plain = ["title", "note", ...open];
  return new Map([...secret].filter(([text]) => !plain.some((one) => one.includes(text))));
}

/** The parts of it in an answer that its caller did not type. */
export function findLeak(
  answer: string,
  secrets: ReadonlyMap<string, string>,
  typed: readonly string[],
): string | undefined {
  const typedForms = typed.flatMap((text) => [text, ...contentForms(text), ...idForms(text)]);
  for (const [text, what] of secrets) {
    if (answer.includes(text) && !typedForms.some((one) => one.includes(text))) return `${what}: ${text}`;
  }
  return undefined;
}

function idForms(id: string): string[] {
  const uuid = uuidOf(id);
  return uuid === undefined ? [] : [id, uuid];
}

function contentForms(content: string): string[] {
  const hex = digestOf(content);
  const digest = Buffer.from(hex, "hex");
  return [content, hex, digest.toString("base64"), digest.toString("base64url")];
}
