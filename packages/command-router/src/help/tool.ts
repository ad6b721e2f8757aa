import type { BriefCommandHelp } from "@svc/protocol/help";
import type { z } from "zod";
import type { CommandFacts } from "../catalog.ts";
import { canBeGrave } from "../decide.ts";
import { briefSchema } from "./brief-help.ts";

/** A command as agents see it in a list of tools. */
export interface Tool {
  name: string;
  description: string;
  inputSchema: BriefCommandHelp["argumentSchema"] & { type: "object" };
  annotations: { readOnlyHint: boolean; destructiveHint?: boolean };
}

/** `files list` is `files_list`: other characters are refused by some models. */
export function toolName({ path }: Pick<CommandFacts, "path">): string {
  return path.replaceAll(/[ -]/g, "_");
}

/** Whoever breaks a limit is told, and a default is what happens anyway: a list of tools is paid for in every call. */
const notInLists = ["default", "minLength", "maxLength", "minItems", "maxItems"];

export function toolSchema(schema: z.ZodType): Tool["inputSchema"] {
  return { ...briefSchema(schema, "input", notInLists), type: "object" };
}

export function toolOf(command: CommandFacts): Tool {
  const { effect, summary } = command;
  const { properties, ...schema } = toolSchema(command.arguments);
  return {
    name: toolName(command),
    description: summary,
    inputSchema: {
      ...schema,
      properties: { ...Object(properties), ...controlProperties(command) },
    },
    annotations:
      effect === "read"
        ? { readOnlyHint: true }
        : { readOnlyHint: false, destructiveHint: canBeGrave(command) },
  };
}

/** Beside the arguments of the command. What they mean is said once, in the instructions. */
function controlProperties({ effect }: Pick<CommandFacts, "effect">) {
  return { workspace: { type: "string" }, ...(effect === "read" ? {} : { confirm: { type: "string" } }) };
}
