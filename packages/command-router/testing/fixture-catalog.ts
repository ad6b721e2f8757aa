import type { Change } from "@svc/protocol/exchange";
import { z } from "zod";
import { Catalog } from "../src/catalog.ts";
import { type CommandDefinition, commandDefiner } from "../src/command.ts";

export interface FixtureContext {
  recordChange(change: Change): void;
  recordUndo(payload: unknown): void;
}

const defineFixture = commandDefiner<FixtureContext>();

const moveFile = defineFixture({
  summary: "Move files into a folder",
  description: "Links to them keep working.",
  category: "Files",
  effect: "write",
  agents: "searchable",
  reach: "inside",
  scopes: ["files:write"],
  arguments: z.strictObject({
    target: z.string().describe("Folder to move into"),
    source: z.array(z.string()).min(1).describe("What to move"),
    onConflict: z
      .enum(["ask", "replace", "keep"])
      .default("ask")
      .meta({ description: "What to do if a name is taken", short: "c" }),
    limit: z.int().min(1).max(100).optional().meta({ description: "Files at most", short: "n" }),
    force: z.boolean().default(false).meta({ description: "Move locked files too", short: "f" }),
    notify: z.boolean().default(true).describe("Tell their owners"),
    label: z.array(z.string()).optional().meta({ description: "Put on each", short: "l" }),
    folder: z.string().optional().meta({ description: "Old name of target", deprecation: "use --target" }),
  }),
  positionals: ["target", "source"],
  result: z.object({ moved: z.int() }),
  presentation: { as: "text", text: ({ moved }) => `Moved ${moved} files` },
  examples: [{ command: "files move /archive a.md b.md", note: "Two files at once" }],
  failures: ["not_found"],
  async run(context, { source, target }) {
    for (const name of source) context.recordChange({ action: "update", type: "file", name, version: 1 });
    context.recordUndo({ source, target });
    return { moved: source.length };
  },
  undo: {
    payload: z.object({ source: z.array(z.string()), target: z.string() }),
    run: async (_context, payload) => payload,
  },
});

const listFiles = defineFixture({
  summary: "List files",
  category: "Files",
  effect: "read",
  agents: "searchable",
  reach: "inside",
  scopes: ["files:read"],
  arguments: z.strictObject({ kind: z.enum(["file", "folder"]).describe("Only these") }),
  result: z.object({
    items: z.array(z.object({ name: z.string(), size: z.int().optional() })),
    nextCursor: z.string().optional(),
  }),
  presentation: {
    as: "table",
    columns: [
      { field: "name", label: "Name", priority: 2 },
      { field: "size", label: "Size", align: "right", priority: 1 },
    ],
    empty: "There are no files.",
  },
  examples: [],
  failures: [],
  run: async () => ({ items: [] }),
});

const purgeFiles = defineFixture({
  summary: "Empty the trash",
  category: "Files",
  effect: "destroy",
  agents: "searchable",
  reach: "inside",
  scopes: ["files:write"],
  arguments: z.strictObject({
    password: z.string().optional().meta({ description: "Of the vault", secret: true }),
  }),
  result: z.object({ purged: z.int() }),
  presentation: { as: "text", text: ({ purged }) => `Purged ${purged} files` },
  examples: [],
  failures: [],
  async run(context) {
    context.recordChange({ action: "delete", type: "file", name: "old.md", version: 3 });
    return { purged: 1 };
  },
});

const whoami = defineFixture({
  summary: "Show who you are",
  category: "Account",
  effect: "read",
  agents: "searchable",
  reach: "inside",
  scopes: [],
  arguments: z.strictObject({}),
  result: z.object({ name: z.string() }),
  presentation: { as: "text", text: ({ name }) => name },
  examples: [{ command: "whoami", note: "Your name" }],
  failures: [],
  run: async () => ({ name: "Rin" }),
});

export const fixtureCatalog = new Catalog<FixtureContext>([
  { group: "files", name: "move", definition: moveFile },
  { group: "files", name: "list", definition: listFiles },
  { group: "files", name: "purge", definition: purgeFiles },
  { group: "whoami", name: "whoami", definition: whoami },
]);

export function fixture(path: string) {
  const command = fixtureCatalog.find(path);
  if (!command) throw new Error(`there is no fixture ${path}`);
  return command;
}

/** One command in the form that the catalog holds. */
export function asCommand(definition: CommandDefinition<FixtureContext>) {
  const [command] = new Catalog([{ group: "things", name: "do", definition }]).commands;
  if (!command) throw new Error("a catalog of one has one");
  return command;
}

/** A command that does nothing, to test its arguments. */
export function taking(shape: z.ZodRawShape, positionals: string[] = []) {
  return asCommand(
    defineFixture({
      summary: "Do a thing",
      category: "Things",
      effect: "write",
      agents: "searchable",
      reach: "inside",
      scopes: [],
      arguments: z.strictObject(shape),
      positionals,
      result: z.object({}),
      presentation: { as: "text", text: () => "Done" },
      examples: [],
      failures: [],
      beforeUpload: async () => {},
      run: async () => ({}),
    }),
  );
}
