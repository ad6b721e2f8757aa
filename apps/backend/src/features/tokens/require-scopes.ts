import { didYouMean } from "@svc/command-router/arguments/suggest";
import { ProblemError } from "@svc/protocol/problem";
import type { CommandContext } from "../../platform/commands/command-context.ts";
import { everyScope } from "../../platform/process/scope.ts";

/** A scope that no command needs would allow nothing today, and whatever a later command makes of it. */
export function requireScopes({ scopesNamed }: CommandContext, scopes: readonly string[]): void {
  const unknown = scopes.find((scope) => scope !== everyScope && !scopesNamed.includes(scope));
  if (unknown === undefined) return;
  throw new ProblemError("usage", `There is no scope \`${unknown}\`.`, {
    hint: `The scopes are: ${scopesNamed.join(", ")}.`,
    ...didYouMean(unknown, scopesNamed),
  });
}
