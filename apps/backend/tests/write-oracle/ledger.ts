import type { Collection, Group, Listed, Node, Person, Row, Settings, Token, Workspace } from "./things.ts";

/** Whose work an undo may remove, and the time since which everybody else's is left alone. */
export interface Own {
  authors: ReadonlySet<string>;
  since: number;
}

type Snapshot = Map<object, object>;

/** The model to compare with. */
interface Compared {
  readonly people: readonly Person[];
  readonly workspaces: readonly Workspace[];
  readonly nodes: readonly Node[];
  readonly collections: readonly Collection[];
  readonly records: readonly Row[];
  readonly groups: readonly Group[];
  readonly tokens: readonly Token[];
  readonly settings: Settings;
}

/** Who changed what, and when. */
export class Ledger {
  #now = 0;
  readonly #authors = new Map<object, Map<string, number>>();
  /** Things without their own row: entries of a list, whether it inherits, group members. */
  readonly #parts = new Map<object, Map<string, { by: string; at: number }>>();

  get now(): number {
    return this.#now;
  }

  /** Compares things with their previous state. */
  note(model: Compared, before: Snapshot, who: string): void {
    this.#now += 1;
    for (const thing of [...model.nodes, ...model.collections, ...model.records]) {
      const old = before.get(thing) as { stamp: object } | undefined;
      if (old?.stamp !== thing.stamp) inner(this.#authors, thing).set(who, this.#now);
    }
    for (const thing of listedIn(model)) {
      const old = before.get(thing) as Listed | undefined;
      this.#noteEntries(thing, old?.entries ?? new Map(), thing.entries, who);
      if (old && old.inherits !== thing.inherits) this.#notePart(thing, inheritance, who);
    }
    for (const group of model.groups) {
      const old = before.get(group) as Group | undefined;
      const members = (one: Group | undefined) =>
        new Map([...(one?.members ?? [])].map((name) => [name, true]));
      this.#noteEntries(group, members(old), members(group), who);
      if (old?.isDeleted !== group.isDeleted) this.#notePart(group, existence, who);
    }
    for (const person of model.people) {
      const old = before.get(person) as Person | undefined;
      if (old && old.isDisabled !== person.isDisabled) this.#notePart(person, existence, who);
      if (old && old.isAdministrator !== person.isAdministrator) this.#notePart(person, administration, who);
    }
    const log = (settings: Settings) => new Map([...settings.withoutLog].map((name) => [name, true]));
    const { settings } = model;
    this.#noteEntries(settings, log(before.get(settings) as Settings), log(settings), who);
  }

  #noteEntries(subject: object, old: Map<string, unknown>, now: Map<string, unknown>, who: string): void {
    for (const name of new Set([...old.keys(), ...now.keys()])) {
      if (old.get(name) !== now.get(name)) this.#notePart(subject, name, who);
    }
  }

  #notePart(subject: object, part: string, by: string): void {
    inner(this.#parts, subject).set(part, { by, at: this.#now });
  }

  /** The last person who changed a part. */
  isOwnPart(subject: object, part: string, { authors }: Own): boolean {
    const last = this.#parts.get(subject)?.get(part);
    return last === undefined || authors.has(last.by);
  }

  /** Changed by others since then, or ever if it was moved here since then. */
  hasPartsOfOthers(subject: object, { authors, since }: Own, came = false): boolean {
    return [...(this.#parts.get(subject)?.values() ?? [])].some(
      ({ by, at }) => !authors.has(by) && (came || at > since),
    );
  }

  /** Of a group: its members, and its access anywhere. */
  isUsedByOthers(group: Group, own: Own): boolean {
    const given = [...this.#parts.values()].some((parts) => {
      const part = parts.get(group.name);
      return part !== undefined && !own.authors.has(part.by) && part.at > own.since;
    });
    return given || this.hasPartsOfOthers(group, own);
  }

  isChangedByOthers(thing: object, { authors, since }: Own): boolean {
    return [...this.#authorsOf(thing)].some(([name, at]) => !authors.has(name) && at > since);
  }

  /** Changed by others since then, or ever if it was moved here since then. */
  isOfOthers(thing: object, own: Own, cameWithAnother = false): boolean {
    const came = cameWithAnother || this.isChangedSince(thing, own);
    const isOfOthersEver = [...this.#authorsOf(thing).keys()].some((name) => !own.authors.has(name));
    return this.isChangedByOthers(thing, own) || (came && isOfOthersEver);
  }

  isChangedSince(thing: object, { since }: Own): boolean {
    return [...this.#authorsOf(thing).values()].some((at) => at > since);
  }

  #authorsOf(thing: object): ReadonlyMap<string, number> {
    return this.#authors.get(thing) ?? new Map();
  }
}

export const inheritance = "whether it inherits";
export const existence = "whether it exists";
export const administration = "whether they are an administrator";

/** The current state of everything; `restoreSnapshot` returns to it. */
export function takeSnapshot(model: Compared): Snapshot {
  const things: object[] = [
    model.settings,
    ...model.people,
    ...listedIn(model),
    ...model.records,
    ...model.groups,
    ...model.tokens,
  ];
  return new Map(things.map((thing) => [thing, copyOf(thing)]));
}

export function restoreSnapshot(snapshot: Snapshot): void {
  for (const [thing, state] of snapshot) Object.assign(thing, copyOf(state));
}

function copyOf(thing: object): object {
  return Object.fromEntries(
    Object.entries(thing).map(([key, value]) => {
      if (value instanceof Map) return [key, new Map(value)];
      if (value instanceof Set) return [key, new Set(value)];
      return [key, Array.isArray(value) ? [...value] : value];
    }),
  );
}

function listedIn(model: Compared): (Workspace | Node | Collection)[] {
  return [...model.workspaces, ...model.nodes, ...model.collections];
}

function inner<Key, Value>(map: Map<object, Map<Key, Value>>, thing: object): Map<Key, Value> {
  const found = map.get(thing) ?? new Map<Key, Value>();
  map.set(thing, found);
  return found;
}
