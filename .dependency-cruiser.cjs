/**
 * Who may import whom. Each rule is planted with a violation in tools/boundaries.test.ts and seen to catch it.
 * Paths are relative to the repository; a test file may import what its subject may, and packages/testing.
 */
const floors = require("./.floors.cjs");

const feature = "^apps/backend/src/features";
const tests =
  "(\\.test\\.ts$|^apps/[^/]+/testing/|^apps/[^/]+/tests/|^packages/[^/]+/testing/|^packages/testing/)";

/** A third-party library with one owner: nobody else imports it. */
function ownedLibrary(library, owners) {
  return {
    name: `owner-of-${library.replace(/[^a-z-]/g, "")}`,
    comment: `${library} belongs to ${owners.join(" and ")}`,
    severity: "error",
    from: { pathNot: [...owners.map((owner) => `^${owner}`), tests] },
    to: { path: `^node_modules/${library}/` },
  };
}

function forbid(name, comment, from, to) {
  return { name, comment, severity: "error", from, to };
}

/** They are given hostile files: nobody but the readers, which are confined, may give them one. */
const parsers = ["chardet", "file-type", "htmlparser2", "pdfjs-dist", "postal-mime", "unpdf", "yauzl"];

function keepFloors([folder, rooms]) {
  return rooms.slice(0, -1).map((room, floor) => {
    const above = rooms.slice(floor + 1);
    return forbid(
      `floor-of-${folder}/${room}`,
      `${room} is below ${above.join(", ")}`,
      { path: `^${folder}/${room}/`, pathNot: tests },
      { path: `^${folder}/(${above.join("|")})/` },
    );
  });
}

module.exports = {
  forbidden: [
    ...Object.entries(floors).flatMap(keepFloors),
    forbid(
      "protocol-stands-alone",
      "the wire runs in browsers: zod only",
      { path: "^packages/protocol/", pathNot: tests },
      { pathNot: "^(packages/protocol/|node_modules/zod/)" },
    ),
    forbid(
      "rendering-knows-the-wire-only",
      "the server and the client show text and tables alike",
      { path: "^packages/rendering/", pathNot: tests },
      { path: "^(apps|packages|tools)/", pathNot: "^packages/(rendering|protocol)/" },
    ),
    forbid(
      "database-stands-alone",
      "the database knows fair shares and no other part of ours",
      { path: "^packages/database/", pathNot: tests },
      { path: "^(apps|packages|tools)/", pathNot: "^packages/(database|fair-shares)/" },
    ),
    forbid(
      "fair-shares-stand-alone",
      "what is shared is for callers to know",
      { path: "^packages/fair-shares/", pathNot: tests },
      { pathNot: "^packages/fair-shares/" },
    ),
    forbid(
      "unicode-stands-alone",
      "what holds for any text knows no other part of ours",
      { path: "^packages/unicode/", pathNot: tests },
      { pathNot: "^packages/unicode/" },
    ),
    forbid(
      "router-knows-the-wire-only",
      "no feature, no HTTP, no SQL in the router",
      { path: "^packages/command-router/", pathNot: tests },
      { path: "^(apps|packages|tools)/", pathNot: "^packages/(command-router|protocol|rendering|unicode)/" },
    ),
    forbid(
      "search-knows-the-database-only",
      "the search engine is no feature",
      { path: "^packages/search/", pathNot: tests },
      { path: "^(apps|packages|tools)/", pathNot: "^packages/(search|database|unicode)/" },
    ),
    forbid(
      "embedding-stands-alone",
      "text in, vectors out: nothing of queues, budgets or tables",
      { path: "^packages/embedding/", pathNot: tests },
      { path: "^(apps|packages|tools)/", pathNot: "^packages/(embedding|unicode)/" },
    ),
    forbid(
      "documents-stand-alone",
      "generators of files know nothing of who needs them",
      { path: "^packages/documents/", pathNot: tests },
      { path: "^(apps|packages|tools)/", pathNot: "^packages/documents/" },
    ),
    forbid(
      "sample-company-knows-documents-only",
      "what a company has, whoever puts it in",
      { path: "^packages/sample-company/", pathNot: tests },
      { path: "^(apps|packages|tools)/", pathNot: "^packages/(sample-company|documents)/" },
    ),
    forbid(
      "machine-knows-the-wire-only",
      "what programs on somebody's machine stand on: failures, the way out, what they remember",
      { path: "^packages/machine/", pathNot: tests },
      { path: "^(apps|packages|tools)/", pathNot: "^packages/(machine|protocol)/" },
    ),
    forbid(
      "releases-know-machine-and-wire-only",
      "what a release is, whether to trust it, and how it replaces a program, for whoever installs or makes one",
      { path: "^packages/releases/", pathNot: tests },
      { path: "^(apps|packages|tools)/", pathNot: "^packages/(releases|machine|protocol)/" },
    ),
    forbid(
      "transfers-know-machine-and-wire-only",
      "how files go to and come from a service, for `svc` and `svc-agent`",
      { path: "^packages/transfers/", pathNot: tests },
      { path: "^(apps|packages|tools)/", pathNot: "^packages/(transfers|machine|protocol)/" },
    ),
    forbid(
      "clients-see-the-wire-only",
      "cli, agent and web know the wire, how to show it, their machine and releases, and nothing of the server",
      { path: "^apps/(?!backend/)([^/]+)/", pathNot: tests },
      {
        path: "^(apps|packages|tools)/",
        pathNot: "^(apps/$1/|packages/(machine|protocol|releases|rendering|transfers)/)",
      },
    ),
    forbid(
      "platform-knows-no-feature",
      "what all features stand on names none of them",
      { path: "^apps/backend/src/platform/", pathNot: tests },
      { path: "^apps/backend/src/(features|surfaces|entrypoints)/" },
    ),
    forbid(
      "features-know-no-surface",
      "a feature does not know how it is reached",
      { path: `${feature}/`, pathNot: tests },
      { path: "^apps/backend/src/(surfaces|entrypoints)/" },
    ),
    forbid(
      "surfaces-name-no-command",
      "surfaces see a feature's face; commands come with the catalog",
      { path: "^apps/backend/src/surfaces/", pathNot: tests },
      { path: `${feature}/([^/]+)/`, pathNot: `${feature}/([^/]+)/\\1\\.ts$` },
    ),
    forbid(
      "features-meet-at-their-faces",
      "files/files.ts is what other features may know of files",
      { path: `${feature}/([^/]+)/`, pathNot: tests },
      { path: `${feature}/([^/]+)/`, pathNot: [`${feature}/$1/`, `${feature}/([^/]+)/\\1\\.ts$`] },
    ),
    forbid(
      "a-query-enters-search-once",
      "the command calls search.ts, which calls the stages of a query one after the other",
      { pathNot: [`${feature}/search/commands/query\\.ts$`, tests] },
      { path: `${feature}/search/search\\.ts$` },
    ),
    forbid(
      "commands-and-jobs-are-imported-by-nobody",
      "the catalog and the worker load them by path",
      { pathNot: `${feature}/[^/]+/(commands|jobs|turns)/[^/]+\\.test\\.ts$` },
      { path: `${feature}/[^/]+/(commands|jobs|turns)/` },
    ),
    forbid(
      "a-command-is-imported-by-its-own-test",
      "another command's test types its line instead",
      { path: `${feature}/([^/]+)/(commands|jobs|turns)/([^/]+)\\.test\\.ts$` },
      { path: `${feature}/[^/]+/(commands|jobs|turns)/`, pathNot: `${feature}/$1/$2/$3\\.ts$` },
    ),
    forbid(
      "nobody-needs-the-sample-company",
      "the product is the same without it; only its seed knows it",
      { path: "^apps/backend/src/", pathNot: ["^apps/backend/src/(sample-company|entrypoints)/", tests] },
      { path: "^(apps/backend/src|packages)/sample-company/" },
    ),
    forbid(
      "nobody-imports-an-entrypoint",
      "an entrypoint is a process",
      {},
      { path: "^apps/[^/]+/src/(entrypoints/|main\\.ts$)" },
    ),
    forbid(
      "tools-import-packages-only",
      "tools start applications as processes; only the reference reads what they declare",
      { path: "^tools/", pathNot: "^tools/reference/" },
      { path: "^apps/" },
    ),
    forbid(
      "nobody-imports-a-tool",
      "scripts stand at the edge",
      { path: "^(apps|packages)/" },
      { path: "^tools/" },
    ),
    forbid(
      "no-test-code-in-production",
      "what only tests need stays with tests",
      { path: "^(apps|packages)/", pathNot: tests },
      { path: tests },
    ),
    forbid("no-cycles", "a cycle is one module in several files", {}, { circular: true }),
    forbid("everything-resolves", "an import that leads nowhere", {}, { couldNotResolve: true }),
    ownedLibrary("pg", ["packages/database/", "tools/bench/"]),
    ownedLibrary("kysely", [
      "packages/database/",
      "packages/search/",
      "apps/backend/src/(features|platform)/",
      "tools/bench/",
    ]),
    ownedLibrary("fastify", ["apps/backend/src/(surfaces|entrypoints)/", "tools/bench/"]),
    ownedLibrary("@modelcontextprotocol", ["apps/backend/src/surfaces/"]),
    ownedLibrary("graphile-worker", ["apps/backend/src/(platform|entrypoints)/"]),
    ownedLibrary("porter2", ["packages/search/"]),
    ownedLibrary("@orama", ["packages/search/"]),
    ownedLibrary("onnxruntime-node", ["packages/embedding/"]),
    ownedLibrary("@huggingface", ["packages/embedding/"]),
    ownedLibrary("jose", ["apps/backend/src/platform/"]),
    ownedLibrary("pino", ["apps/backend/src/platform/"]),
    ownedLibrary("prom-client", ["apps/backend/src/platform/"]),
    ...parsers.map((library) => ownedLibrary(library, ["apps/backend/src/platform/text/"])),
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "\\.generated\\.ts$" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "types", "default"],
    },
  },
};
