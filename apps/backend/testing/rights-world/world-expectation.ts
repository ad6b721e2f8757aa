import {
  childNamed,
  type Folder,
  isLive,
  isWithin,
  newNode,
  type Person,
  pathOf,
  type WorldModel,
} from "./world-model.ts";
import type { Step } from "./world-step.ts";

/** A line to type, whether it should succeed, and the world afterwards. */
export interface Expectation {
  line: string[];
  content?: string;
  succeeds: boolean;
  apply(id: string | undefined): void;
}

/** Undefined if there is nothing for the step to act on. */
export function expectStep(
  model: WorldModel,
  step: Exclude<Step, { does: "undo" }>,
): Expectation | undefined {
  switch (step.does) {
    case "mkdir":
    case "put":
      return expectNew(model, step);
    case "move":
    case "copy":
      return expectPlaced(model, step);
    case "rename":
    case "delete":
      return expectChanged(model, step);
    case "restore":
    case "purge":
      return expectTrash(model, step);
    case "grant":
    case "revoke":
      return expectEntry(model, step);
    case "restrict":
    case "inherit":
      return expectInheritance(model, step);
    case "join":
    case "leave":
      return expectGroup(model, step);
  }
}

function expectNew(model: WorldModel, step: Extract<Step, { does: "mkdir" | "put" }>): Expectation {
  const folder = choose(model.folders(), step.at);
  const existing = childNamed(folder, step.name);
  const mayAdd = model.sees(step.who, folder) && model.can(step.who, folder, "editor");
  if (step.does === "mkdir") {
    return {
      line: ["files", "mkdir", join(folder, step.name)],
      succeeds: mayAdd && !existing,
      apply: (id) => add(folder, newNode("folder", step.name, folder), id),
    };
  }
  const mayReplace =
    existing === undefined || (existing.kind === "file" && model.can(step.who, existing, "editor"));
  return {
    line: ["files", "put", `./${step.name}`, pathOf(folder)],
    content: step.content,
    succeeds: mayAdd && mayReplace,
    apply: (id) => {
      // The same content again changes nothing.
      if (existing?.contents.at(-1) === step.content) return;
      const file = existing ?? newNode("file", step.name, folder);
      file.contents.push(step.content);
      if (!existing) add(folder, file, id);
    },
  };
}

function expectPlaced(
  model: WorldModel,
  step: Extract<Step, { does: "move" | "copy" }>,
): Expectation | undefined {
  const node =
    step.does === "copy" ? chooseHiding(model.nodes(), step.node) : chooseListed(model.nodes(), step.node);
  if (!node) return undefined;
  const folder = chooseListed(model.folders(), step.at);
  const other = childNamed(folder, node.name);
  const mayPlace =
    model.sees(step.who, node) && model.sees(step.who, folder) && model.can(step.who, folder, "editor");
  const line = ["files", step.does, pathOf(node), pathOf(folder)];
  if (step.does === "copy") {
    return {
      line,
      succeeds: mayPlace && !other,
      apply: (id) => add(folder, visibleCopy(model, step.who, node, folder), id),
    };
  }
  return {
    line,
    succeeds:
      mayPlace &&
      model.can(step.who, node, "editor") &&
      (other === undefined || other === node) &&
      !isWithin(folder, node),
    apply: () => {
      detach(node);
      add(folder, node, node.id);
    },
  };
}

function visibleCopy(model: WorldModel, who: Person, node: Folder, parent: Folder): Folder {
  const copy = newNode(node.kind, node.name, parent);
  copy.contents = node.contents.slice(-1);
  copy.children = node.children
    .filter((child) => !child.isTrashed && model.sees(who, child))
    .map((child) => visibleCopy(model, who, child, copy));
  return copy;
}

function expectChanged(
  model: WorldModel,
  step: Extract<Step, { does: "rename" | "delete" }>,
): Expectation | undefined {
  const node = choose(model.nodes(), step.node);
  if (!node?.parent) return undefined;
  const may = model.sees(step.who, node) && model.can(step.who, node, "editor");
  if (step.does === "delete") {
    return {
      line: ["files", "delete", pathOf(node)],
      succeeds: may,
      apply: (id) => {
        node.isTrashed = true;
        if (id !== undefined) node.id = id;
      },
    };
  }
  return {
    line: ["files", "rename", pathOf(node), step.name],
    succeeds: may && step.name !== node.name && childNamed(node.parent, step.name) === undefined,
    apply: () => {
      node.name = step.name;
    },
  };
}

function expectTrash(
  model: WorldModel,
  step: Extract<Step, { does: "restore" | "purge" }>,
): Expectation | undefined {
  const node = choose(model.trashed(), step.node);
  if (!node?.parent || node.id === undefined) return undefined;
  const { parent } = node;
  if (step.does === "purge") {
    return {
      line: ["trash", "purge", node.id, "--confirm", "true"],
      succeeds: subtree(node).every((below) => model.can(step.who, below, "owner")),
      apply: () => detach(node),
    };
  }
  return {
    line: ["files", "restore", node.id],
    succeeds:
      model.can(step.who, node, "editor") &&
      isLive(parent) &&
      model.sees(step.who, parent) &&
      model.can(step.who, parent, "editor") &&
      childNamed(parent, node.name) === undefined,
    apply: () => {
      node.isTrashed = false;
    },
  };
}

function expectEntry(model: WorldModel, step: Extract<Step, { does: "grant" | "revoke" }>): Expectation {
  const node = choose([model.top, ...model.nodes()], step.node);
  const role = step.does === "grant" ? step.role : undefined;
  const before = node.entries.get(step.grantee);
  const others = [...node.entries].filter(([grantee]) => grantee !== step.grantee);
  const leavesOwner = role === "owner" || others.some(([, given]) => given === "owner");
  return {
    line: ["access", step.does, pathOf(node), step.grantee, ...(role === undefined ? [] : ["--role", role])],
    succeeds:
      model.sees(step.who, node) &&
      model.can(step.who, node, "owner") &&
      before !== role &&
      (node !== model.top || (leavesOwner && step.grantee !== "everyone")),
    apply: () => {
      if (role === undefined) node.entries.delete(step.grantee);
      else node.entries.set(step.grantee, role);
    },
  };
}

function expectInheritance(
  model: WorldModel,
  step: Extract<Step, { does: "restrict" | "inherit" }>,
): Expectation | undefined {
  const node = choose(model.nodes(), step.node);
  if (!node) return undefined;
  const inherits = step.does === "inherit";
  const may = model.sees(step.who, node) && model.can(step.who, node, "owner") && node.inherits !== inherits;
  return {
    line: ["access", step.does, pathOf(node)],
    succeeds: may && (inherits || staysOwner(model, step.who, node)),
    apply: () => {
      node.inherits = inherits;
    },
  };
}

function staysOwner(model: WorldModel, who: Person, node: Folder): boolean {
  const before = node.inherits;
  node.inherits = false;
  const stays = model.can(who, node, "owner");
  node.inherits = before;
  return stays;
}

function expectGroup(model: WorldModel, step: Extract<Step, { does: "join" | "leave" }>): Expectation {
  const members = model.groups[step.group];
  const joins = step.does === "join";
  return {
    line: ["groups", joins ? "add" : "remove", step.group, step.member],
    succeeds: step.member !== step.group && members.has(step.member) !== joins,
    apply: () => {
      if (joins) members.add(step.member);
      else members.delete(step.member);
    },
  };
}

/** Half of the time among nodes with their own access list, because that is where things go wrong. */
function chooseListed(from: readonly Folder[], index: number): Folder {
  const listed = from.filter(({ parent, inherits, entries }) => parent && (!inherits || entries.size > 0));
  return index % 2 === 1 && listed.length > 0 ? choose(listed, index >> 1) : choose(from, index >> 1);
}

/** Half of the time a folder with something restricted in it, which a copy must leave out. */
function chooseHiding(from: readonly Folder[], index: number): Folder {
  const hiding = from.filter(({ children }) => children.some(({ inherits }) => !inherits));
  return index % 2 === 1 && hiding.length > 0 ? choose(hiding, index >> 1) : choose(from, index >> 1);
}

function choose<T>(from: readonly T[], index: number): T {
  return from[index % from.length] as T;
}

function join(folder: Folder, name: string): string {
  return folder.parent ? `${pathOf(folder)}/${name}` : `/${name}`;
}

function add(folder: Folder, node: Folder, id: string | undefined): void {
  node.parent = folder;
  folder.children.push(node);
  if (id !== undefined) node.id = id;
}

function detach(node: Folder): void {
  if (node.parent) node.parent.children = node.parent.children.filter((child) => child !== node);
}

function subtree(node: Folder): Folder[] {
  return [node, ...node.children.flatMap(subtree)];
}
