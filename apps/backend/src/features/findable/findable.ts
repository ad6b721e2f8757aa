/** What a caller can find: what searching and embedding both stand on. */

export { showEntities } from "./show-entities.ts";
export { visibilityOf } from "./visibility.ts";
export { workspacesByMeaning } from "./workspaces-by-meaning.ts";
