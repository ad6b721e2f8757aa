import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { loadCatalog } from "@svc/command-router/catalog";
import { errorCodes } from "@svc/protocol/error-table";
import { expect, test } from "vitest";
import { referencePages } from "./reference/reference-pages.ts";

const repository = resolve(import.meta.dirname, "..");
const read = (path: string) => readFileSync(resolve(repository, path), "utf8");
const pages = await referencePages();
const page = (name: string) => pages[`docs/reference/${name}.md`] ?? "";
const sources = globSync(["{apps,packages,tools}/**/*.ts", "*.ts", "install.sh"], {
  cwd: repository,
  exclude: ["**/node_modules/**", "**/*.test.ts", "apps/*/{testing,tests}/**", "tools/reference/**"],
});

test("every page is up to date: run `npm run docs:reference`, and commit what it writes", () => {
  const stale = Object.keys(pages).filter((path) => read(path) !== pages[path]);
  expect(stale).toEqual([]);
});

test("no setting is missing: every SVC_ variable that code names is in the reference", () => {
  const named = new Set(
    sources.flatMap((path) => [...read(path).matchAll(/\bSVC_[A-Z0-9_]+\b/g)].map(String)),
  );
  expect(named.size).toBeGreaterThan(40);
  const missing = [...named].filter((name) => !page("configuration").includes(`| \`${name}\` |`));
  expect(missing).toEqual([]);
});

test("applications read their environment in one place each", () => {
  const readers = sources.filter(
    (path) => /^apps\/[^/]+\/src\//.test(path) && /process\.env\b/.test(read(path)),
  );
  expect(readers.sort()).toEqual(["apps/backend/src/platform/process/config.ts", "apps/cli/src/run-here.ts"]);
});

test("no command is missing", async () => {
  const { commands } = await loadCatalog(resolve(repository, "apps/backend/src/features"));
  const missing = commands.filter(({ path }) => !page("commands").includes(`\n### ${path}\n`));
  expect(missing.map(({ path }) => path)).toEqual([]);
  const files = globSync("apps/backend/src/features/*/commands/*.ts", {
    cwd: repository,
    exclude: ["**/*.test.ts"],
  });
  expect(page("commands").match(/^### /gm)).toHaveLength(files.length);
});

test("no error is missing", () => {
  expect(errorCodes.filter((code) => !page("errors").includes(`| \`${code}\` |`))).toEqual([]);
});

test("no metric is missing", () => {
  const named = sources.flatMap((path) =>
    [...read(path).matchAll(/name: "(svc_\w+)"/g)].map(([, name = ""]) => name),
  );
  expect(named.length).toBeGreaterThan(3);
  expect(named.filter((name) => !page("metrics").includes(`| \`${name}\` |`))).toEqual([]);
});
