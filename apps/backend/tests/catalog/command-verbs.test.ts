import { readFileSync } from "node:fs";
import { loadCatalog } from "@svc/command-router/catalog";
import { expect, test } from "vitest";
import type { CommandContext } from "../../src/platform/commands/command-context.ts";
import { featuresFolder } from "../../src/platform/process/features-folder.ts";

const glossary = new URL("../../../../CONTEXT.md", import.meta.url);

test("CONTEXT.md lists every verb of the catalog, and no other", async () => {
  const [, section = ""] = readFileSync(glossary, "utf8").split("\n## Verbs of commands\n");
  const listed = section.matchAll(/`([a-z-]+)`/g).map(([, verb]) => verb);

  const { commands } = await loadCatalog<CommandContext>(featuresFolder);
  // A command that is typed as one word, such as `whoami`, has no verb.
  const used = commands.filter(({ group, name }) => group !== name).map(({ name }) => name);

  expect(listed.toArray().sort()).toEqual([...new Set(used)].sort());
});
