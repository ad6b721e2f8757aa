import { BriefHelpTree } from "@svc/protocol/help";
import { expect, test } from "vitest";
import { z } from "zod";
import { asCommand, fixture, fixtureCatalog, taking } from "../../testing/fixture-catalog.ts";
import { briefHelp } from "./brief-help.ts";

function briefOf(command: Parameters<typeof briefHelp>[0][number], results = false) {
  const [help] = briefHelp([command], { results }).categories[0]?.groups[0]?.commands ?? [];
  if (!help) throw new Error("a tree of one has one");
  return help;
}

test("lists category, group, command and argument schema", () => {
  const tree = briefHelp(fixtureCatalog.commands, { results: false });
  expect(BriefHelpTree.parse(JSON.parse(JSON.stringify(tree)))).toEqual(tree);
  expect(tree.categories.map(({ category }) => category)).toEqual(["Account", "Files"]);
  expect(tree.categories[1]?.groups).toMatchObject([
    {
      group: "files",
      commands: [
        {
          path: "files list",
          summary: "List files",
          effect: "read",
          argumentSchema: {
            type: "object",
            properties: { kind: { type: "string", enum: ["file", "folder"], description: "Only these" } },
            required: ["kind"],
          },
        },
        { path: "files move", positionals: ["target", "source"] },
        { path: "files purge" },
      ],
    },
  ]);
});

test("a listing leaves out what only one command's own help tells", () => {
  const [listed] =
    briefHelp(fixtureCatalog.commands, { results: false }).categories[0]?.groups[0]?.commands ?? [];
  expect(Object.keys(listed ?? {})).toEqual(["path", "summary", "effect", "argumentSchema"]);
  expect(briefOf(fixture("files move"))).toMatchObject({
    description: "Links to them keep working.",
    usage: "svc files move <target> <source>… [options]",
    scopes: ["files:write"],
    examples: [{ command: "files move /archive a.md b.md", note: "Two files at once" }],
    undoable: true,
  });
});

test("exit codes are named once, those of all commands together", () => {
  const codes = (paths: string[]) =>
    briefHelp(paths.map(fixture), { results: false }).exitCodes.map(({ exitCode }) => exitCode);
  expect(codes(["whoami"])).toEqual([0, 10, 12, 20, 30, 31, 32, 33]);
  expect(codes(["whoami", "files move"])).toEqual([0, 10, 12, 20, 21, 22, 24, 30, 31, 32, 33]);
  const checking = asCommand({ ...fixture("whoami"), exitCode: () => 60 });
  expect(briefHelp([fixture("whoami"), checking], { results: false }).exitCodes.at(-1)).toEqual({
    exitCode: 60,
    meaning: "Complete, but a check failed",
  });
});

test("schemas of results come only if they are requested", () => {
  expect(briefOf(fixture("files list")).resultSchema).toBeUndefined();
  expect(briefOf(fixture("files list"), true).resultSchema).toEqual({
    type: "object",
    properties: {
      items: {
        type: "array",
        items: {
          type: "object",
          properties: { name: { type: "string" }, size: { type: "integer" } },
          required: ["name"],
        },
      },
      nextCursor: { type: "string" },
    },
    required: ["items"],
  });
});

test("what repeats is left out, but an argument may have its name", () => {
  const { argumentSchema } = briefOf(
    taking({
      short: z.string().meta({ description: "Kept", short: "s" }),
      pattern: z.iso.datetime().describe("Kept too"),
      count: z.int().describe("Any number"),
      size: z.int().min(1).max(9).describe("With limits"),
      code: z
        .string()
        .regex(/^[a-z]+$/)
        .describe("With a pattern"),
    }),
  );
  expect(argumentSchema).toEqual({
    type: "object",
    properties: {
      short: { type: "string", description: "Kept" },
      pattern: { type: "string", format: "date-time", description: "Kept too" },
      count: { type: "integer", description: "Any number" },
      size: { type: "integer", minimum: 1, maximum: 9, description: "With limits" },
      code: { type: "string", pattern: "^[a-z]+$", description: "With a pattern" },
    },
    required: ["short", "pattern", "count", "size", "code"],
  });
});
