import { childNamed, childrenOf, isLive, type Model } from "../model.ts";
import type { Node, Person } from "../things.ts";
import {
  type Attempt,
  choose,
  type Refusal,
  refuseFirst,
  type Scene,
  type Undoing,
  type Write,
} from "./attempt.ts";
import {
  add,
  changed,
  chooseTarget,
  deleteOne,
  type Folder,
  interesting,
  isAsLeft,
  newNode,
  type Target,
  undoCreation,
} from "./file-writes.ts";
import { undoable } from "./undo-writes.ts";

export const uploadWrites: Record<string, Write> = {
  "files put": (scene) => (scene.picks[2] % 2 === 0 ? putFile(scene) : putFolder(scene)),
  "files sync": syncFolder,
};

function putFile(scene: Scene): Attempt | undefined {
  const { model, who, picks } = scene;
  const usual = scene.name(picks[1]);
  const target = chooseTarget(scene, usual);
  if (!target) return undefined;
  const { isInto } = target;
  const name = isInto ? nameIn(scene, target.folder, usual) : usual;
  const existing = childNamed(target.folder, isInto ? name : target.name);
  const content = scene.content(picks[2] >> 1);
  const isHidden = existing !== undefined && !model.sees(who, existing);
  return {
    words: ["files", "put", `./${name}`, target.word],
    workspace: target.workspace,
    content,
    ...(isHidden ? { otherContent: scene.content((picks[2] >> 1) + 1) } : {}),
    refusal: target.refusal ?? putRefusal(model, who, existing),
    isNearMiss: !target.refusal && !!putRefusal(model, who, existing)?.includes("not_permitted"),
    // The same content again changes nothing.
    apply: () =>
      existing?.versions.at(-1) === content
        ? undefined
        : putOne(model, target.folder, isInto ? name : target.name, content).undoing,
  };
}

/** Half of the time a taken name, because replacing is what goes wrong. */
function nameIn({ picks }: Scene, folder: Folder | undefined, usual: string): string {
  const taken = folder ? childrenOf(folder).filter(isLive) : [];
  const pick = picks[2] >> 2;
  return (pick % 2 === 1 ? choose(interesting(taken, pick >> 1), pick >> 2)?.name : undefined) ?? usual;
}

/** A put of a file over an existing node. */
function putRefusal(model: Model, who: Person, existing: Node | undefined): Refusal {
  if (!existing) return undefined;
  return refuseFirst(
    [!model.sees(who, existing), "conflict"],
    [!model.can(who, existing, "editor"), "not_permitted"],
    [existing.kind === "folder", "conflict"],
  );
}

function putOne(model: Model, folder: Folder, name: string, content: string) {
  const existing = childNamed(folder, name);
  if (!existing) {
    const node = add({ ...newNode("file", name, folder), versions: [content] });
    return { node, undoing: undoCreation(model, node) };
  }
  const { stamp: before } = existing;
  existing.versions = [...existing.versions, content];
  const left = changed(existing);
  const undoing = undoable(
    (undoer) => isAsLeft(model, undoer, existing, left),
    () => Object.assign(existing, { versions: existing.versions.slice(0, -1), stamp: before }),
  );
  return { node: existing, undoing };
}

/** A folder `name`: each of its files is put as if it were alone. */
function putFolder(scene: Scene): Attempt | undefined {
  const { model, picks } = scene;
  const usual = scene.name(picks[1]);
  const target = chooseTarget(scene, usual);
  if (!target) return undefined;
  const { isInto } = target;
  // An existing folder is the target itself; only the root of a workspace takes it under its own name.
  const itself = isInto && target.folder.kind !== "workspace" ? target.folder : undefined;
  const name = isInto && !itself ? nameIn(scene, target.folder, usual) : usual;
  if (isInto) target.name = name;
  const tree = sendTree(scene, itself ?? childNamed(target.folder, target.name));
  return {
    words: ["files", "put", `./${name}`, target.word],
    workspace: target.workspace,
    ...tree.contents,
    refusal: target.refusal ?? anyOf(tree.refusals),
    apply: () => undoAll(storeTree(model, itself ?? target, tree.files)),
  };
}

/** The same files, and with `--delete` nothing else that the caller can see. */
function syncFolder(scene: Scene): Attempt | undefined {
  const { model, who, picks } = scene;
  const target = chooseTarget(scene, scene.name(picks[1]));
  if (!target) return undefined;
  const itself = target.isInto ? target.folder : undefined;
  const top = itself ?? childNamed(target.folder, target.name);
  const tree = sendTree(scene, top);
  const deletes = picks[0] % 4 !== 0;
  const gone = deletes && top ? onlyRemote(model, who, top, Object.keys(tree.contents.content)) : [];
  const mayNotGo = gone.some((node) => !model.can(who, node, "editor"));
  const refused = anyOf(tree.refusals);
  return {
    words: ["files", "sync", "./box", target.word, ...(deletes ? ["--delete"] : [])],
    workspace: target.workspace,
    ...tree.contents,
    refusal: target.refusal ?? anyOf([refused, mayNotGo ? ["not_permitted"] : undefined]),
    isNearMiss: !target.refusal && !refused && mayNotGo,
    apply: () => {
      const deleted = gone.map((node) => deleteOne(model, node));
      return undoAll([...deleted, ...storeTree(model, itself ?? target, tree.files)]);
    },
  };
}

/** The topmost nodes below a folder that are not among these paths. */
function onlyRemote(model: Model, who: Person, top: Folder, paths: readonly string[], above = ""): Node[] {
  return childrenOf(top).flatMap((child) => {
    if (child.isTrashed || !model.sees(who, child)) return [];
    const path = `${above}${child.name}`;
    const isLocal = paths.some((one) => one === path || one.startsWith(`${path}/`));
    return isLocal ? onlyRemote(model, who, child, paths, `${path}/`) : [child];
  });
}

type SentFile = [folder: string[], name: string, content: string];

/** Two files at the top of a folder and one below, over what exists there. */
function sendTree(scene: Scene, top: Folder | undefined) {
  const { model, who, picks } = scene;
  const pick = picks[2] >> 1;
  const first = nameIn(scene, top, scene.name(pick));
  // A different name from the first, so that the folder contains no duplicates.
  const second = scene.name(pick + 1) === first ? scene.name(pick) : scene.name(pick + 1);
  const files: SentFile[] = [
    [[], first, scene.content(pick)],
    [[], second, scene.content(pick + 1)],
    [[scene.name(pick + 2)], scene.name(pick), scene.content(pick + 2)],
  ];
  const refusals = [top?.kind === "workspace" ? undefined : folderRefusal(model, who, top)];
  let isHidden = false;
  for (const [below, fileName] of files) {
    const folder = below[0] === undefined || !top ? top : childNamed(top, below[0]);
    if (below[0] !== undefined && top) refusals.push(folderRefusal(model, who, childNamed(top, below[0])));
    const existing = folder && childNamed(folder, fileName);
    isHidden ||= existing !== undefined && !model.sees(who, existing);
    // Identical content stays unchanged, but only its editors are told.
    refusals.push(putRefusal(model, who, existing));
  }
  const written = (shift: number) =>
    Object.fromEntries(
      files.map(([below, fileName], index) => [
        [...below, fileName].join("/"),
        scene.content(pick + index + shift),
      ]),
    );
  const otherContent = isHidden && anyOf(refusals) ? { otherContent: written(1) } : {};
  return { files, refusals, contents: { content: written(0), ...otherContent } };
}

function anyOf(refusals: readonly Refusal[]): Refusal {
  const codes = [...new Set(refusals.flatMap((some) => some ?? []))];
  return codes.length > 0 ? codes : undefined;
}

/** Into a folder that exists, or that may have to be created in another. */
function storeTree(model: Model, where: Folder | Target, files: readonly SentFile[]): Undoing[] {
  const undoings: Undoing[] = [];
  const open = (folder: Folder, folderName: string, isNew: boolean): [Node, boolean] => {
    const existing = childNamed(folder, folderName);
    if (existing) return [existing, isNew];
    const node = add(newNode("folder", folderName, folder));
    if (!isNew) undoings.push(undoCreation(model, node));
    return [node, true];
  };
  const [root, isNewRoot] = "word" in where ? open(where.folder, where.name, false) : [where, false];
  for (const [below, fileName, content] of files) {
    const [folder, isNew] = below[0] === undefined ? [root, isNewRoot] : open(root, below[0], isNewRoot);
    if (childNamed(folder, fileName)?.versions.at(-1) === content) continue;
    const { undoing } = putOne(model, folder, fileName, content);
    if (!isNew) undoings.push(undoing);
  }
  return undoings;
}

function folderRefusal(model: Model, who: Person, existing: Node | undefined): Refusal {
  if (!existing) return undefined;
  return refuseFirst(
    [!model.sees(who, existing), "conflict"],
    [!model.can(who, existing, "editor"), "not_permitted"],
    [existing.kind === "file", "conflict"],
  );
}

/** All or nothing; undefined if there is nothing to undo. */
function undoAll(undoings: readonly Undoing[]): Undoing | undefined {
  if (undoings.length === 0) return undefined;
  return {
    refusal: (who, own) => undoings.map((one) => one.refusal(who, own)).find((codes) => codes !== undefined),
    apply: () => {
      for (const one of undoings.toReversed()) one.apply();
    },
  };
}
