/** What other features may know of files. */
export { purgeTrash, trashedNodes } from "./purge.ts";
export { followList, locate, nodeId, pathsAbove } from "./tree.ts";
export { lockTree, type TreeLock } from "./tree-lock.ts";
