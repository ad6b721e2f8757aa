import { join } from "node:path";
import { loadCatalog } from "@svc/command-router/catalog";
import { briefHelp } from "@svc/command-router/help/brief-help";
import { helpTree } from "@svc/command-router/help/help-tree";
import { offenders } from "@svc/testing/offenders";
import { describe, expect, test } from "vitest";
import { countTokens } from "./count-tokens.ts";
import { commandTokens, everythingTokens, helpBars, skillTokens } from "./help-tokens.ts";

const catalog = await loadCatalog(join(import.meta.dirname, "../../apps/backend/src/features"));

const commandsOf = <Help>({ categories }: { categories: { groups: { commands: Help[] }[] }[] }) =>
  categories.flatMap(({ groups }) => groups.flatMap(({ commands }) => commands));

describe("help --json", () => {
  test("costs an agent at most 12,000 tokens", () => {
    expect(everythingTokens(catalog)).toBeLessThanOrEqual(helpBars.everything);
  });

  test("has each category, group and command that the full tree has, in its order", () => {
    const pathsOf = ({ categories }: ReturnType<typeof briefHelp> | ReturnType<typeof helpTree>) =>
      categories.map(({ category, groups }) => [
        category,
        groups.map(({ group, commands }) => [group, commands.map(({ path }) => path)]),
      ]);
    expect(pathsOf(briefHelp(catalog.commands, { results: false }))).toEqual(
      pathsOf(helpTree(catalog.commands)),
    );
  });
});

test("<command> --help --json costs an agent at most 1,500 tokens, for each command", () => {
  expect(commandTokens(catalog).filter(({ tokens }) => tokens > helpBars.oneCommand)).toEqual([]);
});

test("help --skill costs an agent at most 1,500 tokens", () => {
  expect(skillTokens(catalog)).toBeLessThanOrEqual(helpBars.skill);
});

type Properties = Record<string, Record<string, unknown>>;

test("every brief schema has every argument, with all that a caller has to know", async () => {
  const briefOfAll = commandsOf(briefHelp(catalog.commands, { results: false }));
  const commands = catalog.commands.map((command) => [command.path, command] as const);
  const found = await offenders(commands, (command) => {
    const [full] = commandsOf(helpTree([command]));
    for (const help of [commandsOf(briefHelp([command], { results: false })), briefOfAll]) {
      const brief = help.find(({ path }) => path === command.path);
      const properties = brief?.argumentSchema.properties as Properties;
      expect(Object.keys(properties).sort()).toEqual(full?.arguments.map(({ name }) => name).sort());
      expect(brief?.argumentSchema.required).toEqual(full?.argumentSchema.required);
      expect(brief?.positionals ?? []).toEqual([...command.positionals]);
      for (const argument of full?.arguments ?? []) {
        const { type, items, description, ...schema } = properties[argument.name] as {
          [key: string]: unknown;
          items?: Record<string, unknown>;
        };
        const value = argument.repeatable ? items : { type, description, ...schema };
        expect(value).toMatchObject({
          type: argument.type,
          ...(argument.choices ? { enum: argument.choices } : {}),
        });
        expect(description ?? items?.description).toBe(argument.description);
        expect(schema.default).toEqual(argument.default);
      }
    }
  });
  expect(found).toEqual([]);
});

test("special words of a tokenizer are counted as text, and refuse nothing", () => {
  expect(countTokens("<|endoftext|>")).toBeGreaterThan(1);
});
