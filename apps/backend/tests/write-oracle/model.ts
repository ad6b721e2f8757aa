import { createHash } from "node:crypto";
import { Ledger } from "./ledger.ts";

/**
 * Who may do what, in plain words and without any code of the product: rights are asked of the tree itself, from a thing
 * up to its workspace. The product keeps shared lists in SQL, so the two can hardly be wrong in the same way.
 */
export type Role = "viewer" | "editor" | "owner";
const strength: Record<Role, number> = { viewer: 1, editor: 2, owner: 3 };

export const everyone = "everyone";

export interface Person {
  name: string;
  id: string;
  token: string;
  kind: "user" | "service" | "ai";
  isAdministrator: boolean;
  scopes: readonly string[];
}

export interface Group {
  kind: "group";
  id: string;
  name: string;
  /** Names of people and groups. */
  members: Set<string>;
  isDeleted: boolean;
}

/** Anything that an access list can be about. */
export interface Listed {
  id: string;
  name: string;
  workspace: Workspace;
  above: Listed | undefined;
  inherits: boolean;
  /** By the name of a person or group, or `everyone`. */
  entries: Map<string, Role>;
  isTrashed: boolean;
  /** Changes with each change of the thing itself: undo wants it as its operation left it. */
  stamp: object;
}

export interface Workspace extends Listed {
  kind: "workspace";
  slug: string;
  isSemantic: boolean;
  /** What is in it, at the top and below, in the trash too. */
  nodes: Node[];
  collections: Collection[];
}

export interface Node extends Listed {
  kind: "folder" | "file";
  above: Workspace | Node;
  /** Of a file: its contents, the present one last. */
  versions: string[];
}

export interface Collection extends Listed {
  kind: "collection";
  slug: string;
  fields: { key: object; name: string }[];
  records: Row[];
}

/** A record. */
export interface Row {
  kind: "record";
  id: string;
  collection: Collection;
  values: Map<object, string>;
  isTrashed: boolean;
  stamp: object;
}

export interface Token {
  kind: "token";
  id: string;
  name: string;
  isRevoked: boolean;
  isRotated: boolean;
}

export interface Settings {
  limit: string | undefined;
  cron: string | undefined;
  model: string | undefined;
  nextModel: string | undefined;
  previousModel: string | undefined;
  isRunning: boolean;
  /** Who keeps no queries; `everyone` for the tenant. */
  withoutLog: Set<string>;
  /** What is indexed again: `tenant`, or the id of a workspace or folder. */
  reindexed: Set<string>;
  /** Each changes with what it is the stamp of. */
  budgetStamp: object;
  embeddingStamp: object;
  /** Who may create workspaces, beside administrators. */
  creators: "members" | "administrators" | "everyone";
  creatorsStamp: object;
}

export type Thing = Workspace | Node | Collection | Row | Group | Token;

export class Model {
  readonly ledger = new Ledger();
  readonly people: readonly Person[];
  readonly groups: Group[];
  readonly workspaces: Workspace[] = [];
  readonly tokens: Token[] = [];
  settings: Settings = {
    limit: undefined,
    cron: undefined,
    model: undefined,
    nextModel: undefined,
    previousModel: undefined,
    isRunning: false,
    withoutLog: new Set(),
    reindexed: new Set(),
    budgetStamp: {},
    embeddingStamp: {},
    creators: "members",
    creatorsStamp: {},
  };

  constructor(people: readonly Person[], groups: Group[]) {
    this.people = people;
    this.groups = groups;
  }

  get nodes(): Node[] {
    return this.workspaces.flatMap(({ nodes }) => nodes);
  }

  get collections(): Collection[] {
    return this.workspaces.flatMap(({ collections }) => collections);
  }

  get records(): Row[] {
    return this.collections.flatMap(({ records }) => records);
  }

  role(who: Person, thing: Listed): Role | undefined {
    if (who.isAdministrator) return "owner";
    const own = this.#entryRole(who, thing);
    if (!thing.above) return own;
    const ownsAll = this.#entryRole(who, thing.workspace) === "owner";
    return thing.inherits || ownsAll ? stronger(own, this.role(who, thing.above)) : own;
  }

  can(who: Person, thing: Listed, needed: Role): boolean {
    const role = this.role(who, thing);
    return role !== undefined && strength[role] >= strength[needed];
  }

  /** What somebody may read, and the folders that lead there. */
  sees(who: Person, thing: Listed & { kind: string }): boolean {
    if (!isLive(thing)) return false;
    if (thing.kind === "workspace") return this.seesWorkspace(who, thing as Workspace);
    if (this.role(who, thing) !== undefined) return true;
    return thing.kind === "folder" && childrenOf(thing).some((child) => this.sees(who, child));
  }

  seesWorkspace(who: Person, workspace: Workspace): boolean {
    return !workspace.isTrashed && this.knowsWorkspace(who, workspace);
  }

  /** Whoever has an entry anywhere in it, in its trash too. */
  knowsWorkspace(who: Person, workspace: Workspace): boolean {
    if (who.isAdministrator) return true;
    const mine = this.#principals(who);
    return [workspace, ...workspace.nodes, ...workspace.collections].some(({ entries }) =>
      [...entries.keys()].some((name) => mine.has(name)),
    );
  }

  seesRecord(who: Person, { collection }: Row): boolean {
    return this.sees(who, collection);
  }

  /** Deleted things are for those who could read them. */
  seesInTrash(who: Person, node: Node): boolean {
    return node.isTrashed && !node.workspace.isTrashed && this.role(who, node) !== undefined;
  }

  mayCreateWorkspaces(who: Person): boolean {
    if (who.isAdministrator || this.settings.creators === "everyone") return true;
    return this.settings.creators === "members" && this.#isMemberSomewhere(who);
  }

  #isMemberSomewhere(who: Person): boolean {
    const mine = this.#principals(who);
    return this.workspaces.some(
      ({ isTrashed, entries }) => !isTrashed && [...entries.keys()].some((name) => mine.has(name)),
    );
  }

  #entryRole(who: Person, thing: Listed): Role | undefined {
    const mine = this.#principals(who);
    const isMember = [...thing.workspace.entries.keys()].some((name) => mine.has(name));
    let role: Role | undefined;
    for (const [name, given] of thing.entries) {
      if (name === everyone ? isMember : mine.has(name)) role = stronger(role, given);
    }
    return role;
  }

  /** Somebody and all groups around, groups within groups too. */
  #principals(who: Person): Set<string> {
    const mine = new Set([who.name]);
    for (let grew = true; grew; ) {
      grew = false;
      for (const { name, members, isDeleted } of this.groups) {
        if (isDeleted || mine.has(name) || ![...members].some((member) => mine.has(member))) continue;
        mine.add(name);
        grew = true;
      }
    }
    return mine;
  }
}

export function isLive(thing: Listed): boolean {
  return !thing.isTrashed && (thing.above === undefined || isLive(thing.above));
}

export function childrenOf(folder: Listed): Node[] {
  return folder.workspace.nodes.filter(({ above }) => above === folder);
}

/** A node and all below it, in the trash too. */
export function subtreeOf(node: Node): Node[] {
  return [node, ...childrenOf(node).flatMap(subtreeOf)];
}

export function childNamed(folder: Listed, name: string): Node | undefined {
  return childrenOf(folder).find((child) => !child.isTrashed && child.name === name);
}

export function isWithin(thing: Listed, folder: Listed): boolean {
  return thing === folder || (thing.above !== undefined && isWithin(thing.above, folder));
}

export function pathOf(thing: Listed): string {
  if (!thing.above) return "/";
  return thing.above.above ? `${pathOf(thing.above)}/${thing.name}` : `/${thing.name}`;
}

export function digestOf(content: string): string {
  return createHash("sha256").update(content).digest("hex");
}

function stronger(a: Role | undefined, b: Role | undefined): Role | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return strength[a] >= strength[b] ? a : b;
}
