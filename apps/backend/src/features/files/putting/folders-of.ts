import { NameNode } from "../../../platform/uploads/name-tree.ts";

/** Something that was sent: a file is what has one, or a size. */
export interface Sent {
  names: readonly string[];
  isFolder: boolean;
}

/** The top with every folder that entries need below it. */
export function foldersOf(entries: Iterable<Sent>): NameNode {
  const top = new NameNode();
  for (const { names, isFolder } of entries) top.addAll(isFolder ? names : names.slice(0, -1));
  return top;
}

/** The folder that an entry is in. */
export function folderOf(top: NameNode, { names }: Pick<Sent, "names">): NameNode {
  const folder = top.find(names.slice(0, -1));
  if (!folder) throw new Error("a folder was not opened before what is in it");
  return folder;
}

/** So many at once, those above first. */
export function* byDepth(top: NameNode, most: number): Generator<NameNode[]> {
  for (const level of top.levels()) {
    for (let start = 0; start < level.length; start += most) yield level.slice(start, start + most);
  }
}
