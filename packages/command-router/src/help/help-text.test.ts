import { plainText } from "@svc/rendering/styled-text";
import { widthOf } from "@svc/rendering/width";
import { expect, test } from "vitest";
import { fixture, fixtureCatalog } from "../../testing/fixture-catalog.ts";
import type { CommandFacts } from "../catalog.ts";
import { helpText } from "./help-text.ts";
import { helpTree } from "./help-tree.ts";

const help = (commands: readonly CommandFacts[], columns?: number) =>
  plainText(helpText(helpTree(commands), { columns }));

test("lists every category, group and command, one line a group", () => {
  expect(help(fixtureCatalog.commands)).toBe(`\
Account
  whoami  Show who you are
Files
  files   list move purge

  svc <group> help             what its commands do
  svc <command> --help         its arguments and examples; with --json for
                               programs
  --workspace --dry-run --all  work elsewhere, preview changes, list everything`);
});

test("says what the commands of a group do", () => {
  expect(help(fixtureCatalog.inGroup("files"))).toBe(`\
svc files <command>
  list   List files
  move   Move files into a folder
  purge  Empty the trash
svc files <command> --help has its arguments and examples`);
});

test("explains one command, examples first", () => {
  expect(help([fixture("files move")])).toBe(`\
svc files move <target> <source>… [options]

Move files into a folder. Links to them keep working.

  svc files move /archive a.md b.md  Two files at once

  <target>               Folder to move into
  <source>               What to move (repeatable)
  -c, --on-conflict <ask|replace|keep>
                         What to do if a name is taken (default ask)
  -n, --limit <integer>  Files at most
  -f, --force            Move locked files too
  --[no-]notify          Tell their owners
  -l, --label <text>     Put on each (repeatable)
  --folder <text>        Old name of target (deprecated: use --target)
  --dry-run              Preview the changes without making them

Exits with 0, 10, 12, 20–22, 24, 30–33: see man svc`);
});

test("leaves out what a command does not have", () => {
  expect(help([fixture("whoami")])).toMatch(
    /^svc whoami\n\nShow who you are\.\n\n {2}svc whoami {2}Your name\n\nExits/,
  );
});

test("says how to go ahead with what cannot be undone", () => {
  const line = "--confirm true     Required: this cannot be undone";
  expect(help([fixture("files purge")])).toContain(line);
  expect(help([fixture("files move")])).not.toContain(line);
});

test.each([40, 60, 80, 200])("no line is wider than a terminal of %i columns, or than 80", (columns) => {
  for (const commands of [
    fixtureCatalog.commands,
    fixtureCatalog.inGroup("files"),
    [fixture("files move")],
  ]) {
    for (const line of help(commands, columns).split("\n"))
      expect(widthOf(line)).toBeLessThanOrEqual(Math.min(80, columns));
  }
});

test.each([1, 2, 7, 8])("a terminal of %i columns gets help too", (columns) => {
  for (const commands of [
    fixtureCatalog.commands,
    fixtureCatalog.inGroup("files"),
    [fixture("files move")],
  ]) {
    expect(help(commands, columns).replaceAll(/\s/g, "")).toBe(help(commands).replaceAll(/\s/g, ""));
  }
});

test("an empty catalog has help too", () => {
  expect(help([])).toContain("svc <command> --help");
});
