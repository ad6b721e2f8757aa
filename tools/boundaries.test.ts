import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { afterAll, expect, test } from "vitest";

const repository = resolve(import.meta.dirname, "..");
const { forbidden } = createRequire(import.meta.url)("../.dependency-cruiser.cjs") as {
  forbidden: { name: string }[];
};
const floors = createRequire(import.meta.url)("../.floors.cjs") as Record<string, string[]>;
const features = "apps/backend/src/features";

/** On each floor but the highest, a file that imports from the next one. */
const floorPlants = Object.entries(floors).flatMap(([folder, rooms]) =>
  rooms
    .slice(0, -1)
    .map((room, floor): [rule: string, plant: [string, string]] => [
      `floor-of-${folder}/${room}`,
      [`${folder}/${room}/planted-floor.ts`, `${folder}/${rooms[floor + 1]}/above.ts`],
    ]),
);

/** One violation of each rule: the file that breaks it, and what it imports. */
const plants: Record<string, [from: string, to: string]> = {
  ...Object.fromEntries(floorPlants),
  "protocol-stands-alone": ["packages/protocol/src/planted.ts", "packages/database/src/pool.ts"],
  "rendering-knows-the-wire-only": ["packages/rendering/src/planted.ts", "packages/database/src/pool.ts"],
  "database-stands-alone": ["packages/database/src/planted.ts", "packages/protocol/src/wire.ts"],
  "fair-shares-stand-alone": ["packages/fair-shares/src/planted.ts", "packages/database/src/pool.ts"],
  "unicode-stands-alone": ["packages/unicode/src/planted.ts", "packages/database/src/pool.ts"],
  "router-knows-the-wire-only": ["packages/command-router/src/planted.ts", "packages/database/src/pool.ts"],
  "search-knows-the-database-only": ["packages/search/src/planted.ts", "packages/protocol/src/wire.ts"],
  "embedding-stands-alone": ["packages/embedding/src/planted.ts", "packages/database/src/pool.ts"],
  "documents-stand-alone": ["packages/documents/src/planted.ts", "packages/protocol/src/wire.ts"],
  "sample-company-knows-documents-only": [
    "packages/sample-company/src/planted.ts",
    "packages/database/src/pool.ts",
  ],
  "machine-knows-the-wire-only": ["packages/machine/src/planted.ts", "packages/database/src/pool.ts"],
  "releases-know-machine-and-wire-only": [
    "packages/releases/src/planted.ts",
    "packages/database/src/pool.ts",
  ],
  "transfers-know-machine-and-wire-only": [
    "packages/transfers/src/planted.ts",
    "packages/database/src/pool.ts",
  ],
  "clients-see-the-wire-only": ["apps/cli/src/planted.ts", "packages/command-router/src/router.ts"],
  "platform-knows-no-feature": ["apps/backend/src/platform/planted.ts", `${features}/files/files.ts`],
  "features-know-no-surface": [`${features}/files/planted-surface.ts`, "apps/backend/src/surfaces/http.ts"],
  "surfaces-name-no-command": ["apps/backend/src/surfaces/planted.ts", `${features}/files/files-store.ts`],
  "features-meet-at-their-faces": [`${features}/search/planted.ts`, `${features}/files/files-store.ts`],
  "a-query-enters-search-once": [
    `${features}/search/finding/page/planted.ts`,
    `${features}/search/search.ts`,
  ],
  "commands-and-jobs-are-imported-by-nobody": [
    `${features}/files/planted-command.ts`,
    `${features}/files/commands/move.ts`,
  ],
  "a-command-is-imported-by-its-own-test": [
    `${features}/files/commands/copy.test.ts`,
    `${features}/files/commands/move.ts`,
  ],
  "nobody-needs-the-sample-company": [
    "apps/backend/src/platform/planted-sample.ts",
    "packages/sample-company/src/company.ts",
  ],
  "nobody-imports-an-entrypoint": [
    "apps/backend/src/surfaces/planted-entry.ts",
    "apps/backend/src/entrypoints/http.ts",
  ],
  "tools-import-packages-only": ["tools/planted.ts", "apps/backend/src/platform/process/log.ts"],
  "nobody-imports-a-tool": ["packages/database/src/planted-tool.ts", "tools/dev.ts"],
  "no-test-code-in-production": [
    "apps/backend/src/platform/planted-test.ts",
    "packages/testing/src/clock.ts",
  ],
  "no-cycles": ["packages/protocol/src/planted-cycle.ts", "packages/protocol/src/planted-cycle.ts"],
  "everything-resolves": ["packages/protocol/src/planted-nowhere.ts", "packages/protocol/src/nowhere"],
  "owner-of-pg": ["apps/backend/src/platform/planted-pg.ts", "node_modules/pg"],
  "owner-of-kysely": ["apps/backend/src/surfaces/planted-kysely.ts", "node_modules/kysely"],
  "owner-of-fastify": [`${features}/files/planted-fastify.ts`, "node_modules/fastify"],
  "owner-of-modelcontextprotocol": [
    `${features}/files/planted-mcp.ts`,
    "node_modules/@modelcontextprotocol/server",
  ],
  "owner-of-graphile-worker": [`${features}/files/planted-queue.ts`, "node_modules/graphile-worker"],
  "owner-of-porter": ["apps/backend/src/platform/planted-porter2.ts", "node_modules/porter2"],
  "owner-of-orama": ["apps/backend/src/platform/planted-orama.ts", "node_modules/@orama"],
  "owner-of-onnxruntime-node": ["apps/backend/src/platform/planted-onnx.ts", "node_modules/onnxruntime-node"],
  "owner-of-huggingface": [
    "apps/backend/src/platform/planted-tokenizers.ts",
    "node_modules/@huggingface/tokenizers",
  ],
  "owner-of-jose": ["apps/backend/src/surfaces/planted-jose.ts", "node_modules/jose"],
  "owner-of-pino": ["apps/backend/src/surfaces/planted-pino.ts", "node_modules/pino"],
  "owner-of-prom-client": ["apps/backend/src/surfaces/planted-metrics.ts", "node_modules/prom-client"],
  "owner-of-chardet": [`${features}/files/planted-chardet.ts`, "node_modules/chardet"],
  "owner-of-file-type": [`${features}/files/planted-file-type.ts`, "node_modules/file-type"],
  "owner-of-htmlparser": [`${features}/files/planted-html.ts`, "node_modules/htmlparser2"],
  "owner-of-pdfjs-dist": [`${features}/files/planted-pdfjs.ts`, "node_modules/pdfjs-dist"],
  "owner-of-postal-mime": [`${features}/files/planted-mail.ts`, "node_modules/postal-mime"],
  "owner-of-unpdf": [`${features}/files/planted-pdf.ts`, "node_modules/unpdf"],
  "owner-of-yauzl": [`${features}/files/planted-zip.ts`, "node_modules/yauzl"],
};

const folder = mkdtempSync(join(tmpdir(), "svc-boundaries-"));
afterAll(() => rmSync(folder, { recursive: true }));

test("every rule has a plant", () => {
  expect(Object.keys(plants).sort()).toEqual(forbidden.map(({ name }) => name).sort());
});

test("every rule catches its plant", () => {
  for (const [from, to] of Object.values(plants)) plant(from, to);
  const { violations } = cruise(folder);
  const caught = violations.map(({ rule, from }) => `${rule.name}: ${from}`);
  for (const [name, [from]] of Object.entries(plants)) expect(caught).toContain(`${name}: ${from}`);
});

test("the cruiser sees the real modules, and they keep the rules", {
  tags: ["long"],
}, () => {
  const { violations, totalCruised } = cruise(repository);
  expect(violations).toEqual([]);
  // With an incompatible TypeScript it sees none and passes.
  expect(totalCruised).toBeGreaterThan(100);
});

function plant(from: string, to: string): void {
  if (to.startsWith("node_modules/")) {
    write(`${to}/package.json`, JSON.stringify({ name: to.slice(13), version: "1.0.0", main: "index.js" }));
    write(`${to}/index.js`, "module.exports = {};");
    write(from, `import "${to.slice(13)}";`);
    return;
  }
  if (to.endsWith(".ts") && to !== from) write(to, "export {};");
  const path = relative(dirname(from), to);
  write(from, `import "${path.startsWith(".") ? path : `./${path}`}";`);
}

function write(path: string, content: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), content);
}

function cruise(cwd: string) {
  if (cwd === folder) write("tsconfig.json", JSON.stringify({ compilerOptions: { module: "NodeNext" } }));
  const { stdout, stderr } = spawnSync(
    join(repository, "node_modules/.bin/depcruise"),
    [
      "--config",
      join(repository, ".dependency-cruiser.cjs"),
      "--output-type",
      "json",
      "apps",
      "packages",
      "tools",
    ],
    { cwd, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 },
  );
  if (stdout === "") throw new Error(stderr);
  const { summary } = JSON.parse(stdout) as {
    summary: { totalCruised: number; violations: { rule: { name: string }; from: string; to: string }[] };
  };
  return summary;
}
