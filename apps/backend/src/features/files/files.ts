/** What other features may use of files. */

export { purgeTrash, trashedNodes } from "./trash/purge.ts";
export { findFolders } from "./tree/find-folders.ts";
export { locate, nodeId } from "./tree/tree.ts";
export { wantFile } from "./want-file.ts";
