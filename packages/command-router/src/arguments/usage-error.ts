import { ProblemError, type Violation } from "@svc/protocol/problem";
import { toTerminalLine } from "@svc/rendering/terminal-text";

const longestEcho = 100;
const mostViolations = 20;

/** A line that cannot be run: names each argument as people type it. */
export function usageError(command: { path: string }, violations: readonly Violation[]): ProblemError {
  return new ProblemError("invalid_arguments", sentences(violations), {
    hint: `svc ${command.path} --help`,
    violations: violations.slice(0, mostViolations),
  });
}

/** The first twenty as sentences, and how many more there are. */
export function sentences(violations: readonly Violation[]): string {
  const told = violations.slice(0, mostViolations).map(sentence);
  const untold = violations.length - told.length;
  return [...told, ...(untold > 0 ? [`And ${untold} more.`] : [])].join(" ");
}

/** Most messages go on where the name of the argument ends; others are clauses, such as `there is no such field`. */
const continuesName = /^(is|has|holds|takes|needs|must|does|goes|matches)\b/;

function sentence({ argument, message }: Violation): string {
  const name = /^[-<]/.test(argument) ? argument : `\`${argument}\``;
  const text = continuesName.test(message) ? `${name} ${message}` : `${argument}: ${message}`;
  return /[.?!]$/.test(text) ? text : `${text}.`;
}

/** What somebody typed, for a message: short, on one line, without anything a terminal obeys. */
export function echo(typed: string, longest = longestEcho): string {
  return toTerminalLine(typed.length > longest ? `${typed.slice(0, longest)}…` : typed);
}
