import { z } from "zod";
import type { CommandFacts } from "./catalog.ts";

/** Whether it lists in pages, so that `--all` means something. */
export function hasPages({ specs }: Pick<CommandFacts, "specs">): boolean {
  return specs.some(({ name }) => name === "cursor");
}

/** How many rows `--all` asks for: few at first, so that they come soon, and then as many as the command allows. */
export function pageLimits(command: Pick<CommandFacts, "arguments">): { first?: number; next?: number } {
  const { properties = {} } = z.toJSONSchema(command.arguments, { io: "input" });
  const { default: first, maximum: next } = Object(properties.limit);
  return { first, next: next ?? first };
}
