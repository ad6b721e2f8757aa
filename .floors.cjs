/** The rooms of a folder, lowest floor first: a room may import from floors below it. */
module.exports = {
  "apps/backend/src/platform": [
    "process",
    "text",
    "blobs",
    "identity",
    "audit",
    "search",
    "uploads",
    "jobs",
    "commands",
  ],
  "apps/backend/src/surfaces": ["http", "transfers", "calls"],
  "apps/backend/src/features/search": ["query-log", "finding", "reindexing", "explaining"],
  "packages/search/src": [
    "analyser",
    "query",
    "index",
    "visibility",
    "ranking",
    "snippets",
    "vectors",
    "inspecting",
  ],
  "packages/command-router/src": ["arguments", "help"],
  "packages/machine/src": ["files", "network"],
};
