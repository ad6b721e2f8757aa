import { parseArgv } from "@svc/command-router/arguments/parse-argv";
import { loadCatalog } from "@svc/command-router/catalog";
import { offenders } from "@svc/testing/offenders";
import { expect, test } from "vitest";
import { featuresFolder } from "../../src/platform/process/features-folder.ts";

const catalog = await loadCatalog(featuresFolder);

test("every command has two keywords or more, in lower case, each once", async () => {
  const commands = catalog.commands.map((command) => [command.path, command] as const);
  const found = await offenders(commands, ({ path, keywords = [] }) => {
    expect(keywords.length).toBeGreaterThanOrEqual(2);
    expect(new Set(keywords).size).toBe(keywords.length);
    for (const word of keywords) {
      expect(word).toMatch(/^[a-z]+(?: [a-z]+)*$/);
      expect(word.length).toBeLessThanOrEqual(40);
      expect(word).not.toBe(path);
    }
  });
  expect(found).toEqual([]);
});

test.each([
  ["upload x.pdf", "`svc files put`"],
  ["download x.pdf", "`svc files get`"],
  ["share /reports rin", "`svc access grant`"],
  ["files remove /a", "`svc files delete`"],
  ["files upload x", "`svc files put`"],
])("`%s` is refused with what was probably meant", (line, meant) => {
  expect(() => parseArgv(catalog, line.split(" "))).toThrow(
    expect.objectContaining({ hint: expect.stringContaining(meant) }),
  );
});
