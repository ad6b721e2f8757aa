import { createHash } from "node:crypto";
import { Ledger } from "./ledger.ts";
import type {
  Collection,
  Group,
  Listed,
  Node,
  Person,
  Role,
  Row,
  Settings,
  Token,
  Workspace,
} from "./things.ts";

const strength: Record<Role, number> = { viewer: 1, editor: 2, owner: 3 };

export const everyone = "everyone";

/**
 * Who can do what, without any code of the product: rights are read from the tree itself, from a thing up to its
 * workspace. The product keeps shared lists in SQL, so the two are unlikely to be wrong in the same way.
 */
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
    // Worlds share a tenant; changes to its people belong to one of them.
    this.people = people.map((person) => ({ ...person }));
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

  /** What somebody can read, and the folders that lead there. */
  sees(who: Person, thing: Listed & { kind: string }): boolean {
    if (!isLive(thing)) return false;
    if (thing.kind === "workspace") return this.seesWorkspace(who, thing as Workspace);
    if (this.role(who, thing) !== undefined) return true;
    return thing.kind === "folder" && childrenOf(thing).some((child) => this.sees(who, child));
  }

  seesWorkspace(who: Person, workspace: Workspace): boolean {
    return !workspace.isTrashed && this.knowsWorkspace(who, workspace);
  }

  /** Everybody with an entry anywhere in it, including its trash. */
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

  /** Deleted things are visible to people who could read them. */
  seesInTrash(who: Person, node: Node): boolean {
    return node.isTrashed && !node.workspace.isTrashed && this.role(who, node) !== undefined;
  }

  /** Whether somebody shares a group, or a list that they can read, with a person or group. */
  knows(who: Person, name: string): boolean {
    if (who.isAdministrator) return true;
    const mine = this.#principals(who);
    const lists = this.workspaces
      .filter(({ isTrashed }) => !isTrashed)
      .flatMap((workspace) => [workspace, ...workspace.nodes, ...workspace.collections])
      .filter((list) => this.role(who, list) !== undefined);
    return [...this.#principals({ name })].some(
      (one) => mine.has(one) || lists.some(({ entries }) => entries.has(one)),
    );
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

  /** Somebody and all their groups, including nested ones. */
  #principals(who: { name: string }): Set<string> {
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

/** A node and everything below it, including the trash. */
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
