import type { Catalog } from "@svc/command-router/catalog";
import { briefHelp } from "@svc/command-router/help/brief-help";
import { skillText } from "@svc/command-router/help/skill-text";
import { countTokens } from "./count-tokens.ts";

/** How many tokens help may cost an agent that asks for JSON. */
export const helpBars = { everything: 12_000, oneCommand: 1_500, skill: 1_500 };

/** `help --skill`. */
export function skillTokens({ commands }: Pick<Catalog, "commands">): number {
  return countTokens(skillText(commands));
}

export interface CommandTokens {
  path: string;
  tokens: number;
}

/** `help --json`, as the service answers it. */
export function everythingTokens({ commands }: Pick<Catalog, "commands">): number {
  return countTokens(JSON.stringify(briefHelp(commands, { results: false })));
}

/** `<command> --help --json` of each command, the longest first. */
export function commandTokens({ commands }: Pick<Catalog, "commands">): CommandTokens[] {
  return commands
    .map((command) => ({
      path: command.path,
      tokens: countTokens(JSON.stringify(briefHelp([command], { results: false }))),
    }))
    .sort((a, b) => b.tokens - a.tokens);
}
