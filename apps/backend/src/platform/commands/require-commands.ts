import { ProblemError } from "@svc/protocol/problem";
import type { CommandContext } from "./command-context.ts";

/** A rule about a misspelt command would hold for nothing. */
export function requireCommands({ commandsNamed }: CommandContext, names: readonly string[]): void {
  const unknown = names.find((name) => commandsNamed(name).length === 0);
  if (unknown === undefined) return;
  throw new ProblemError("usage", `There is no command or group \`${unknown}\`.`, {
    hint: "`svc help` lists them.",
  });
}
