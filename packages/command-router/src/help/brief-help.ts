import type { BriefCommandHelp, BriefHelpTree } from "@svc/protocol/help";
import { z } from "zod";
import type { CommandFacts } from "../catalog.ts";
import { byCategory, exitCodes, usageLine } from "./help-tree.ts";

const lines =
  "svc <path> <positionals> --flag value. A flag is the argument's name in kebab case (onConflict: --on-conflict); " +
  "repeat it for each item of an array, and --no-flag is false. Every command takes --workspace <name>; those that " +
  "change something take --dry-run. Other arguments are refused. svc <path> --help --json has examples; with --results " +
  "the schema of the result.";

/** Help for a reader who pays for each token. One command is explained in full; several, as far as it takes to choose. */
export function briefHelp(
  commands: readonly CommandFacts[],
  { results }: { results: boolean },
): BriefHelpTree {
  const explain = commands.length === 1 ? explained : listed;
  return {
    lines,
    exitCodes: exitCodes(commands),
    categories: byCategory(commands, (command) => ({
      ...explain(command),
      ...(results ? { resultSchema: briefSchema(command.result, "output") } : {}),
    })),
  };
}

function listed({ path, summary, effect, positionals, ...command }: CommandFacts): BriefCommandHelp {
  return {
    path,
    summary,
    effect,
    ...(positionals.length === 0 ? {} : { positionals: [...positionals] }),
    argumentSchema: briefSchema(command.arguments, "input"),
  };
}

function explained(command: CommandFacts): BriefCommandHelp {
  const { description, aliases, isDefault, scopes, examples, undo } = command;
  return {
    ...listed(command),
    ...(description === undefined ? {} : { description }),
    ...(aliases === undefined ? {} : { aliases: [...aliases] }),
    ...(isDefault ? { isDefault } : {}),
    scopes: [...scopes],
    usage: usageLine(command),
    examples: [...examples],
    undoable: undo !== undefined,
  };
}

/** What only our own parser and completion read. */
const ownWords = ["short", "address", "names", "readsText"];

/**
 * A JSON Schema without what repeats: strictness, our own words, limits of every integer, and patterns of formats. Also
 * without what `leftOut` names.
 */
export function briefSchema(
  schema: z.ZodType,
  io: "input" | "output",
  leftOut: readonly string[] = [],
): BriefCommandHelp["argumentSchema"] {
  const { $schema, ...brief } = z.toJSONSchema(schema, {
    io,
    override: ({ jsonSchema }) => {
      for (const word of [...ownWords, ...leftOut]) delete jsonSchema[word];
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
    },
  });
  return brief;
}
