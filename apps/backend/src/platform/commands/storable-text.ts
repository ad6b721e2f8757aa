import { typedName } from "@svc/command-router/arguments/argument-spec";
import { echo, usageError } from "@svc/command-router/arguments/usage-error";
import type { CommandFacts } from "@svc/command-router/catalog";
import { isStorable } from "@svc/database/is-storable";

/**
 * PostgreSQL's text cannot contain NUL, nor its jsonb half a surrogate pair. They are refused here, for every command
 * and surface, instead of by a driver error in the first statement that meets them.
 */
export function requireStorableText(
  command: CommandFacts,
  args: unknown,
  workspace: string | undefined,
): void {
  const violations = Object.entries({ ...Object(args), workspace })
    .filter(([, value]) => [value].flat().some((text) => typeof text === "string" && !isStorable(text)))
    .map(([name]) => {
      const spec = command.specs.find((declared) => declared.name === name);
      const argument = spec ? typedName(spec) : `--${echo(name)}`;
      return { argument, message: "must not contain NUL or half of a surrogate pair" };
    });
  if (violations.length > 0) throw usageError(command, violations);
}
