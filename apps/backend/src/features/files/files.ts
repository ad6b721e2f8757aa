/** What other features may use of files. */

export { purgeTrash, trashedNodes } from "./trash/purge.ts";
export { findFolders } from "./tree/find-folders.ts";
export { followList, locate, nodeId, pathsAbove } from "./tree/tree.ts";
export { lockTree, type TreeLock } from "./tree/tree-lock.ts";
export { wantFile } from "./want-file.ts";
