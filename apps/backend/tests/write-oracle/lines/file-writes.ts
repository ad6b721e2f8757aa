import type { Own } from "../ledger.ts";
import { childNamed, childrenOf, isLive, isWithin, type Model, pathOf, subtreeOf } from "../model.ts";
import type { Listed, Node, Person, Workspace } from "../things.ts";
import {
  type Check,
  choose,
  type Refusal,
  refuseFirst,
  type Scene,
  type Undoing,
  type Write,
} from "./attempt.ts";
import { undoable } from "./undo-writes.ts";

export type Folder = Workspace | Node;

export const fileWrites: Record<string, Write> = {
  "files mkdir": (scene) => {
    const { model, who, picks } = scene;
    const folder = choose(places(model), picks[0]);
    if (!folder) return undefined;
    const name = scene.name(picks[1]);
    return {
      words: ["files", "mkdir", join(pathOf(folder), name)],
      workspace: folder.workspace,
      refusal: refuseFirst(...inFolder(model, who, folder), [
        childNamed(folder, name) !== undefined,
        "conflict",
      ]),
      apply: () => undoCreation(model, add(newNode("folder", name, folder))),
    };
  },

  "files move": (scene) => {
    const { model, who, picks } = scene;
    const node = choose(interesting(liveNodes(model), picks[0]), picks[0] >> 1);
    const target = node && chooseTarget(scene, node.name, node.workspace);
    if (!target) return undefined;
    const { folder, name } = target;
    const { above: oldFolder, name: oldName, stamp: oldStamp } = node;
    return {
      words: ["files", "move", sourceWord(node, target, picks[2]), target.word],
      workspace: target.workspace,
      refusal:
        refuseFirst(
          [!model.sees(who, node), "not_found"],
          [!model.can(who, node, "editor"), "not_permitted"],
        ) ??
        target.refusal ??
        refuseFirst(
          [folder.workspace !== node.workspace, "conflict"],
          [isWithin(folder, node), "conflict"],
          [![undefined, node].includes(childNamed(folder, name)), "conflict"],
        ),
      apply: () => {
        place(node, folder, name);
        return undoPlace(model, node, { folder: oldFolder, name: oldName, stamp: oldStamp });
      },
    };
  },

  "files rename": ({ model, who, picks, name }) => {
    const node = choose(liveNodes(model), picks[0]);
    if (!node) return undefined;
    const newName = name(picks[1]);
    const { above: folder, name: oldName, stamp } = node;
    return {
      ...lineAbout(node, picks[2], (word) => ["files", "rename", word, newName]),
      refusal:
        changeRefusal(model, who, node) ??
        refuseFirst([newName === oldName || childNamed(folder, newName) !== undefined, "conflict"]),
      apply: () => {
        place(node, folder, newName);
        return undoPlace(model, node, { folder, name: oldName, stamp });
      },
    };
  },

  "files copy": (scene) => {
    const { model, who, picks } = scene;
    const node = choose(interesting(liveNodes(model), picks[0]), picks[0] >> 1);
    const target = node && chooseTarget(scene, node.name);
    if (!target) return undefined;
    const { folder, name } = target;
    return {
      words: ["files", "copy", sourceWord(node, target, picks[2]), target.word],
      workspace: target.workspace,
      refusal:
        refuseFirst([!model.sees(who, node), "not_found"]) ??
        target.refusal ??
        refuseFirst([childNamed(folder, name) !== undefined, "conflict"]),
      apply: () => {
        const copies = visibleCopy(model, who, node, folder, name);
        for (const copy of copies) add(copy);
        return undoCreation(model, copies[0] as Node);
      },
    };
  },

  "files touch": ({ model, who, picks }) => {
    const node = choose(liveNodes(model), picks[0]);
    if (!node) return undefined;
    const { stamp: before } = node;
    return {
      ...lineAbout(node, picks[2], (word) => ["files", "touch", word]),
      refusal: changeRefusal(model, who, node),
      apply: () => {
        const left = changed(node);
        return undoable(
          (undoer) => isAsLeft(model, undoer, node, left),
          () => Object.assign(node, { stamp: before }),
        );
      },
    };
  },

  "files delete": ({ model, who, picks }) => {
    const node = choose(liveNodes(model), picks[0]);
    if (!node) return undefined;
    return {
      ...lineAbout(node, picks[2], (word) => ["files", "delete", word]),
      refusal: changeRefusal(model, who, node),
      apply: () => deleteOne(model, node),
    };
  },

  "files restore": ({ model, who, picks }) => {
    // Sometimes one that is not in the trash.
    const node = choose(
      model.nodes.filter(({ isTrashed }) => isTrashed !== (picks[2] % 8 === 0)),
      picks[0],
    );
    if (!node) return undefined;
    const isElsewhere = picks[1] % 2 === 0;
    const folder = isElsewhere ? choose(places(model, node.workspace), picks[1] >> 1) : node.above;
    if (!folder) return undefined;
    const { above: oldFolder, stamp: before } = node;
    return {
      words: [
        "files",
        "restore",
        node.id,
        ...(isElsewhere ? ["--into", folder.kind === "workspace" ? "/" : folder.id] : []),
      ],
      refusal:
        refuseFirst([!model.seesInTrash(who, node), "not_found"]) ?? restoreRefusal(model, who, node, folder),
      apply: () => {
        node.isTrashed = false;
        const left = place(node, folder, node.name);
        return undoable(
          (undoer, own) => isAsLeft(model, undoer, node, left) && !takesWorkOfOthers(model, node, own),
          () => Object.assign(node, { isTrashed: true, above: oldFolder, stamp: before }),
        );
      },
    };
  },

  "trash purge": ({ model, who, picks }) => {
    const everything = picks[1] % 3 === 0;
    const workspace = choose(model.workspaces, picks[0]);
    const node = choose(
      model.nodes.filter(({ isTrashed }) => isTrashed !== (picks[2] % 8 === 0)),
      picks[0],
    );
    const ownsAll = (one: Node) => subtreeOf(one).every((below) => model.can(who, below, "owner"));
    if (everything) {
      if (!workspace) return undefined;
      const owned = workspace.nodes.filter(
        (one) => model.seesInTrash(who, one) && model.can(who, one, "owner"),
      );
      return {
        words: ["trash", "purge"],
        workspace,
        refusal: refuseFirst(
          [!model.seesWorkspace(who, workspace), "not_found"],
          [!owned.every(ownsAll), "not_permitted"],
        ),
        apply: () => purge(owned),
      };
    }
    if (!node) return undefined;
    return {
      words: ["trash", "purge", node.id],
      refusal: refuseFirst([!model.seesInTrash(who, node), "not_found"], [!ownsAll(node), "not_permitted"]),
      apply: () => purge([node]),
    };
  },
};

export function deleteOne(model: Model, node: Node): Undoing {
  const { stamp: before } = node;
  node.isTrashed = true;
  const left = changed(node);
  return undoable(
    (undoer) =>
      node.stamp === left &&
      model.seesInTrash(undoer, node) &&
      restoreRefusal(model, undoer, node, node.above) === undefined,
    () => Object.assign(node, { isTrashed: false, stamp: before }),
  );
}

/** Into the trash, unless it was changed or somebody else has a part in its contents. */
export function undoCreation(model: Model, node: Node): Undoing {
  const left = node.stamp;
  return undoable(
    (undoer, own) => isAsLeft(model, undoer, node, left) && !takesWorkOfOthers(model, node, own),
    () => Object.assign(node, { isTrashed: true, stamp: {} }),
  );
}

function takesWorkOfOthers(model: Model, node: Node, own: Own, cameWithAnother = false): boolean {
  const { ledger } = model;
  const came = cameWithAnother || ledger.isChangedSince(node, own);
  if (ledger.isOfOthers(node, own, came) || ledger.hasPartsOfOthers(node, own, came)) return true;
  return childrenOf(node).some((child) => !child.isTrashed && takesWorkOfOthers(model, child, own, came));
}

function undoPlace(model: Model, node: Node, old: { folder: Folder; name: string; stamp: object }): Undoing {
  const left = node.stamp;
  return undoable(
    (undoer, own) =>
      isAsLeft(model, undoer, node, left) &&
      // Under another access list, others might lose sight of their own files.
      (node.above === old.folder ||
        nearestList(node.above) === nearestList(old.folder) ||
        !takesWorkOfOthers(model, node, own)) &&
      (node.above === old.folder || refuseFirst(...inFolder(model, undoer, old.folder)) === undefined) &&
      !isWithin(old.folder, node) &&
      [undefined, node].includes(childNamed(old.folder, old.name)),
    () => Object.assign(node, { above: old.folder, name: old.name, stamp: old.stamp }),
  );
}

export function isAsLeft(model: Model, who: Person, node: Node, left: object): boolean {
  return node.stamp === left && changeRefusal(model, who, node) === undefined;
}

function changeRefusal(model: Model, who: Person, node: Node): Refusal {
  return refuseFirst(
    [!model.sees(who, node), "not_found"],
    [!model.can(who, node, "editor"), "not_permitted"],
  );
}

function restoreRefusal(model: Model, who: Person, node: Node, folder: Folder): Refusal {
  return refuseFirst([!model.can(who, node, "editor"), "not_permitted"], ...inFolder(model, who, folder), [
    childNamed(folder, node.name) !== undefined,
    "conflict",
  ]);
}

/** To put something new there. */
function inFolder(model: Model, who: Person, folder: Folder): Check[] {
  return [
    [!model.sees(who, folder), "not_found"],
    [folder.kind === "file", "conflict"],
    [!model.can(who, folder, "editor"), "not_permitted"],
  ];
}

export interface Target {
  word: string;
  workspace: Workspace;
  folder: Folder;
  name: string;
  /** Under its current name, not a new one. */
  isInto: boolean;
  refusal: Refusal;
}

/** By id, by an existing path, or by a path that may be new. */
export function chooseTarget(scene: Scene, oldName: string, mostly?: Workspace): Target | undefined {
  const { model, who, picks } = scene;
  const pick = picks[1] >> 2;
  const folder = choose(interesting(places(model, pick % 8 === 0 ? undefined : mostly), pick), pick >> 1);
  if (!folder) return undefined;
  const { workspace } = folder;
  if (picks[1] % 3 === 0 && folder.kind !== "workspace") {
    const refusal = refuseFirst(...inFolder(model, who, folder));
    return { word: folder.id, workspace, folder, name: oldName, isInto: true, refusal };
  }
  const name = scene.name(pick);
  const isNewPath = picks[1] % 3 === 1 && folder.kind !== "file";
  const found = isNewPath ? childNamed(folder, name) : folder;
  const word = isNewPath ? join(pathOf(folder), name) : pathOf(folder);
  // Into an existing folder that the caller can see; otherwise the path is the new path.
  if (found && found.kind !== "file" && model.sees(who, found)) {
    const refusal = refuseFirst(...inFolder(model, who, found));
    return { word, workspace, folder: found, name: oldName, isInto: true, refusal };
  }
  const above = isNewPath ? folder : (folder.above as Folder | undefined);
  if (!above) return { word, workspace, folder, name: oldName, isInto: true, refusal: ["not_found"] };
  return {
    word,
    workspace,
    folder: above,
    name: isNewPath ? name : folder.name,
    isInto: false,
    refusal: refuseFirst(...inFolder(model, who, above)),
  };
}

function sourceWord(node: Node, target: Target, pick: number): string {
  return pick % 2 === 0 && target.workspace === node.workspace ? pathOf(node) : node.id;
}

function lineAbout(node: Node, pick: number, words: (word: string) => string[]) {
  return pick % 2 === 0
    ? { words: words(pathOf(node)), workspace: node.workspace }
    : { words: words(node.id) };
}

function liveNodes(model: Model): Node[] {
  return model.nodes.filter(isLive);
}

/** A place to put something; sometimes a file, where nothing can be put. */
function places(model: Model, within?: Workspace): Folder[] {
  return [...model.workspaces, ...model.nodes].filter(
    (place) => isLive(place) && (!within || place.workspace === within),
  );
}

/** Half of the time a node with an access list at or below it, because that is where things go wrong. */
export function interesting<T extends Folder>(from: readonly T[], pick: number): readonly T[] {
  const hasList = ({ inherits, entries, above }: Folder) => above && (!inherits || entries.size > 0);
  const some = from.filter((one) => hasList(one) || childrenOf(one).some(hasList));
  return pick % 2 === 1 && some.length > 0 ? some : from;
}

function visibleCopy(model: Model, who: Person, node: Node, folder: Folder, name: string): Node[] {
  const copy = { ...newNode(node.kind, name, folder), versions: node.versions.slice(-1) };
  const below = childrenOf(node).filter((child) => !child.isTrashed && model.sees(who, child));
  return [copy, ...below.flatMap((child) => visibleCopy(model, who, child, copy, child.name))];
}

export function newNode(kind: Node["kind"], name: string, above: Folder): Node {
  return {
    kind,
    id: "",
    name,
    workspace: above.workspace,
    above,
    inherits: true,
    entries: new Map(),
    isTrashed: false,
    stamp: {},
    versions: [],
  };
}

export function add(node: Node): Node {
  node.workspace.nodes.push(node);
  return node;
}

function place(node: Node, folder: Folder, name: string): object {
  Object.assign(node, { above: folder, name });
  return changed(node);
}

export function changed(node: Node): object {
  node.stamp = {};
  return node.stamp;
}

function nearestList(thing: Listed): Listed {
  const hasList = !thing.inherits || thing.entries.size > 0;
  return thing.above === undefined || hasList ? thing : nearestList(thing.above);
}

function purge(nodes: readonly Node[]): undefined {
  for (const gone of nodes.flatMap(subtreeOf)) {
    gone.stamp = {};
    gone.workspace.nodes = gone.workspace.nodes.filter((node) => node !== gone);
  }
}

function join(path: string, name: string): string {
  return path === "/" ? `/${name}` : `${path}/${name}`;
}
