import { z } from "zod";

/** category → group → command → argument: what `help` answers, and the manifest at GET /api/v1/commands. */
const ArgumentHelp = z.object({
  name: z.string(),
  flag: z.string().describe("As typed: --name"),
  short: z.string().optional(),
  position: z.int().optional(),
  type: z.string(),
  choices: z.array(z.string()).optional(),
  repeatable: z.boolean(),
  required: z.boolean(),
  default: z.unknown().optional(),
  description: z.string(),
  deprecation: z.string().optional().describe("What to use instead"),
});
export type ArgumentHelp = z.infer<typeof ArgumentHelp>;

const ExitCodes = z.array(z.object({ exitCode: z.int(), meaning: z.string() }));

const CommandHelp = z.object({
  path: z.string().describe("As typed: `workspaces rename`"),
  group: z.string(),
  summary: z.string(),
  description: z.string().optional(),
  aliases: z.array(z.string()).optional().describe("Words that stand for the path: `ls`"),
  isDefault: z.boolean().optional().describe("Runs if the word after its group does not name a command"),
  effect: z.enum(["read", "write", "destroy"]),
  scopes: z.array(z.string()),
  usage: z.string(),
  arguments: z.array(ArgumentHelp),
  argumentSchema: z.record(z.string(), z.unknown()).describe("JSON Schema of the arguments"),
  resultSchema: z.record(z.string(), z.unknown()).describe("JSON Schema of the result"),
  examples: z.array(z.object({ command: z.string(), note: z.string() })),
  exitCodes: ExitCodes,
  undoable: z.boolean(),
});
export type CommandHelp = z.infer<typeof CommandHelp>;

export const HelpTree = z
  .object({
    categories: z.array(
      z.object({
        category: z.string(),
        groups: z.array(z.object({ group: z.string(), commands: z.array(CommandHelp) })),
      }),
    ),
  })
  .meta({ id: "HelpTree" });
export type HelpTree = z.infer<typeof HelpTree>;

/** What an agent needs to type a command, in few tokens. What only one command's own help has is optional. */
const BriefCommandHelp = CommandHelp.pick({
  path: true,
  summary: true,
  effect: true,
  argumentSchema: true,
}).extend({
  positionals: z.array(z.string()).optional().describe("Arguments that are typed without a flag, in order"),
  ...CommandHelp.pick({
    description: true,
    aliases: true,
    isDefault: true,
    scopes: true,
    usage: true,
    resultSchema: true,
    examples: true,
    undoable: true,
  }).partial().shape,
});
export type BriefCommandHelp = z.infer<typeof BriefCommandHelp>;

/** What `help --json` prints: the same tree, with one schema for the arguments, and exit codes once. */
export const BriefHelpTree = z
  .object({
    lines: z.string().describe("How a line is made of a path and arguments"),
    exitCodes: ExitCodes,
    categories: z.array(
      z.object({
        category: z.string(),
        groups: z.array(z.object({ group: z.string(), commands: z.array(BriefCommandHelp) })),
      }),
    ),
  })
  .meta({ id: "BriefHelpTree" });
export type BriefHelpTree = z.infer<typeof BriefHelpTree>;
