import { expect, test } from "vitest";
import { fixture, fixtureCatalog } from "../../testing/fixture-catalog.ts";
import { helpText } from "./help-text.ts";
import { helpTree } from "./help-tree.ts";

test("lists commands by category", () => {
  expect(helpText(helpTree(fixtureCatalog.commands))).toBe(`\
Account
  whoami       Show who you are

Files
  files list   List files
  files move   Move files into a folder
  files purge  Empty the trash

\`svc <command> --help\` explains one command; add --json for machines.
Every command takes --workspace <id, slug or name> to work in another workspace.
Every command that changes something takes --dry-run to preview its changes.`);
});

test("explains one command", () => {
  expect(helpText(helpTree([fixture("files move")]))).toBe(`\
Move files into a folder.
Links to them keep working.

Usage: svc files move <target> <source>… [options]

Arguments:
  <target>                              Folder to move into
  <source>                              What to move (repeatable)
  -c, --on-conflict <ask|replace|keep>  What to do if a name is taken (default ask)
  -n, --limit <integer>                 Files at most
  -f, --force                           Move locked files too
  --[no-]notify                         Tell their owners (default true)
  -l, --label <text>                    Put on each (repeatable)
  --folder <text>                       Old name of target (deprecated: use --target)

Before it commits:
  --dry-run        Preview the changes without making them
  --confirm false  The same, for this call only

Examples:
  svc files move /archive a.md b.md  Two files at once

Exit codes:
  0   Done, or previewed
  10  Not authenticated
  12  Not permitted
  20  Invalid arguments
  21  Not found
  22  Conflict with the current state; idempotency key already used for another request
  24  Confirmation required
  30  Service unavailable
  31  Too many requests
  32  Time limit exceeded
  33  Internal error`);
});

test("leaves out what a command does not have", () => {
  expect(helpText(helpTree([fixture("whoami")]))).toMatch(
    /^Show who you are\.\n\nUsage: svc whoami\n\nExamples:\n {2}svc whoami {2}Your name\n\nExit codes:\n {2}0 {3}Done\n/,
  );
});

test("says how to go ahead with what cannot be undone", () => {
  const line = "--confirm true   Required: this cannot be undone";
  expect(helpText(helpTree([fixture("files purge")]))).toContain(line);
  expect(helpText(helpTree([fixture("files move")]))).not.toContain(line);
});

test("an empty catalog has help too", () => {
  expect(helpText(helpTree([]))).toContain("explains one command");
});
