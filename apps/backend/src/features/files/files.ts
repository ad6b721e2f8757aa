/** What other features may know of files. */

export { findFolders } from "./find-folders.ts";
export { purgeTrash, trashedNodes } from "./purge.ts";
export { followList, locate, nodeId, pathsAbove } from "./tree.ts";
export { lockTree, type TreeLock } from "./tree-lock.ts";
export { wantFile } from "./want-file.ts";
