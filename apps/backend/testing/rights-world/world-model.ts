import { randomUUID } from "node:crypto";

/**
 * The expected rights, in the simplest form: read from the tree itself, from a node up to its workspace. It uses no
 * scopes, no SQL and none of the code under test, so that both can only be wrong in different ways.
 */
export type Role = "viewer" | "editor" | "owner";
type Member = "owner" | "ann" | "ben" | "cai" | "bot";
/** Sessions of an AI member for a person. */
export type Session = `bot for ${"root" | "owner" | "ann"}`;
export type Person = "root" | Member | Session;
/** And somebody anonymous, who only searches. */
export type Searcher = Person | "visitor";
export type Group = "inner" | "outer";
/** `visitor` stands for the group of all visitors, which is in another group. */
export type Grantee = Member | Group | "everyone" | "visitor";

export const sessions: readonly Session[] = ["bot for root", "bot for owner", "bot for ann"];
export const people: readonly Person[] = ["root", "owner", "ann", "ben", "cai", "bot", ...sessions];
const strength: Record<Role, number> = { viewer: 1, editor: 2, owner: 3 };

export interface Folder extends List {
  kind: "folder" | "file";
  key: string;
  name: string;
  parent: Folder | undefined;
  children: Folder[];
  contents: string[];
  isTrashed: boolean;
  /** The server's id, if an answer contained it. */
  id?: string;
}

interface List {
  inherits: boolean;
  entries: Map<Grantee, Role>;
}

/** One workspace and the groups of its tenant. */
export class WorldModel {
  top: Folder = newNode("folder", "", undefined);
  readonly groups: Record<Group, Set<Grantee>>;

  constructor(groups: Record<Group, Set<Grantee>>) {
    this.groups = groups;
    this.top.entries.set("owner", "owner");
  }

  /** A deep copy, so that an undo can return to it. */
  snapshot(): Folder {
    return structuredClone(this.top);
  }

  nodes({ trashed = false } = {}): Folder[] {
    const found: Folder[] = [];
    const walk = (node: Folder) => {
      for (const child of node.children) {
        if (child.isTrashed && !trashed) continue;
        found.push(child);
        walk(child);
      }
    };
    walk(this.top);
    return found;
  }

  folders(): Folder[] {
    return [this.top, ...this.nodes().filter(({ kind }) => kind === "folder")];
  }

  trashed(): Folder[] {
    return this.nodes({ trashed: true }).filter(({ isTrashed }) => isTrashed);
  }

  role(person: Searcher, node: Folder): Role | undefined {
    if (person === "root") return "owner";
    const both = principalsOfSession(person);
    if (both) return weaker(this.role(both[0], node), this.role(both[1], node));
    const own = this.#entryRole(person, node);
    if (!node.parent) return own;
    const ownsAll = this.#entryRole(person, this.top) === "owner";
    if (!node.inherits && !ownsAll) return own;
    return stronger(own, this.role(person, node.parent));
  }

  can(person: Person, node: Folder, needed: Role): boolean {
    const role = this.role(person, node);
    return role !== undefined && strength[role] >= strength[needed];
  }

  /** Whether the person can read it, or it is a folder on the way to something that they can read. */
  sees(person: Searcher, node: Folder): boolean {
    if (!isLive(node)) return false;
    if (this.role(person, node) !== undefined) return true;
    if (node.kind !== "folder") return false;
    if (!node.parent) return this.seesWorkspace(person);
    return node.children.some((child) => !child.isTrashed && this.sees(person, child));
  }

  /** Whether the person has an entry somewhere in it, by name or through a group, including the trash. */
  seesWorkspace(person: Searcher): boolean {
    if (person === "root") return true;
    if (principalsOfSession(person)) {
      return [this.top, ...this.nodes({ trashed: true })].some(
        (node) => this.role(person, node) !== undefined,
      );
    }
    const mine = this.#principals(person);
    return [this.top, ...this.nodes({ trashed: true })].some(({ entries }) =>
      [...entries.keys()].some((grantee) => mine.has(grantee)),
    );
  }

  /** The entries that apply to a node, as somebody would list them: those of lists in which they have a role. */
  entriesFor(person: Person, node: Folder): string[] {
    const above = node.parent && node.inherits ? this.entriesFor(person, node.parent) : [];
    if (this.role(person, node) === undefined) return above;
    return [...[...node.entries].map(([grantee, role]) => `${grantee} ${role}`), ...above];
  }

  #entryRole(person: Searcher, node: Folder): Role | undefined {
    const mine = this.#principals(person);
    let role: Role | undefined;
    for (const [grantee, given] of node.entries) {
      const counts = grantee === "everyone" ? this.#isMember(person) : mine.has(grantee);
      if (counts) role = stronger(role, given);
    }
    return role;
  }

  #isMember(person: Searcher): boolean {
    const mine = this.#principals(person);
    return [...this.top.entries.keys()].some((grantee) => mine.has(grantee));
  }

  #principals(person: Searcher): Set<string> {
    const mine = new Set<string>([person]);
    // There are two groups, so a third round finds nothing.
    for (let round = 0; round < 2; round += 1) {
      for (const group of ["inner", "outer"] as const) {
        if ([...this.groups[group]].some((member) => mine.has(member))) mine.add(group);
      }
    }
    return mine;
  }
}

function principalsOfSession(person: Searcher): [Person, Person] | undefined {
  const [, forWhom] = /^bot for (root|owner|ann)$/.exec(person) ?? [];
  return forWhom === undefined ? undefined : ["bot", forWhom as Person];
}

export function newNode(kind: Folder["kind"], name: string, parent: Folder | undefined): Folder {
  return {
    kind,
    key: randomUUID(),
    name,
    parent,
    children: [],
    contents: [],
    isTrashed: false,
    inherits: true,
    entries: new Map(),
  };
}

export function isLive(node: Folder): boolean {
  return !node.isTrashed && (node.parent === undefined || isLive(node.parent));
}

export function pathOf(node: Folder): string {
  if (!node.parent) return "/";
  return node.parent.parent ? `${pathOf(node.parent)}/${node.name}` : `/${node.name}`;
}

export function childNamed(folder: Folder, name: string): Folder | undefined {
  return folder.children.find((child) => !child.isTrashed && child.name === name);
}

export function isWithin(node: Folder, folder: Folder): boolean {
  return node === folder || (node.parent !== undefined && isWithin(node.parent, folder));
}

function stronger(a: Role | undefined, b: Role | undefined): Role | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return strength[a] >= strength[b] ? a : b;
}

function weaker(a: Role | undefined, b: Role | undefined): Role | undefined {
  if (!a || !b) return undefined;
  return strength[a] <= strength[b] ? a : b;
}
