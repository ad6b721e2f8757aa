import { expect, test } from "vitest";
import { asCommand, fixture, fixtureCatalog } from "../../testing/fixture-catalog.ts";
import { skillText } from "./skill-text.ts";

test("has front matter, every command with its mark, and exit codes", () => {
  const text = skillText(fixtureCatalog.commands);
  expect(text).toMatch(/^---\nname: svc\ndescription: [^\n]+\(files, whoami\)\.\n---\n\n# svc\n/);
  expect(text).toContain("Account:\n- whoami\nFiles:\n- files: list move* purge!\n");
  expect(text).toContain("Exit codes: 0 done, 10 not authenticated, ");
});

test("shows the first example of what people type every day", () => {
  const everyday = asCommand({ ...fixture("files move"), aliases: ["mv"] });
  expect(skillText([everyday])).toContain(
    "```sh\nsvc files move /archive a.md b.md  # Two files at once\n```\n",
  );
  expect(skillText([fixture("files move")])).toContain("```sh\n```\n");
});
