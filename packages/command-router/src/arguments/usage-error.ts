import { ProblemError, type Violation } from "@svc/protocol/problem";
import { toTerminalLine } from "@svc/rendering/terminal-text";

const longestEcho = 100;
const mostViolations = 20;

/** A line that cannot be run: names each argument as people type it. */
export function usageError(command: { path: string }, violations: readonly Violation[]): ProblemError {
  const told = violations.slice(0, mostViolations);
  const named = told.map(({ argument, message }) => `${argument}: ${message}`).join("; ");
  const untold = violations.length - told.length;
  return new ProblemError("invalid_arguments", untold === 0 ? named : `${named}; and ${untold} more`, {
    hint: `\`svc ${command.path} --help\` shows its arguments.`,
    violations: told,
  });
}

/** What somebody typed, for a message: short, on one line, without anything a terminal obeys. */
export function echo(typed: string): string {
  return toTerminalLine(typed.length > longestEcho ? `${typed.slice(0, longestEcho)}…` : typed);
}
