import type { Next } from "@svc/protocol/next";
import type { ProblemError } from "@svc/protocol/problem";
import { commandMeant } from "../arguments/command-meant.ts";
import { splitLine } from "../arguments/parse-argv.ts";
import { readArgumentLine } from "../arguments/read-argument-line.ts";
import { letters, suggest } from "../arguments/suggest.ts";
import type { CommandFacts } from "../catalog.ts";
import { argumentMeant } from "./argument-meant.ts";
import { asksForMore } from "./correct-arguments.ts";
import { nextAfter, type Surroundings } from "./next-call.ts";

/** A line with more is not a slip, and reading it several times would take long. */
const mostWords = 100;

/** What to call after a line that the parser refused: the line that was meant, read by the same parser. */
export function nextOfLine(
  error: ProblemError,
  argv: readonly string[],
  around: Surroundings,
): Next | undefined {
  if (argv.length > mostWords) return undefined;
  const { words, flags, rest } = splitLine(argv);
  const found = commandOf(words, around.commands);
  if (!found) return undefined;
  const { command, isGuess } = found;
  const line = meantLine(command, [...words.slice(found.words), ...flags, ...rest]);
  if (!line) return undefined;
  const { values, reserved, unread } = readArgumentLine(command.specs, line);
  if (unread.length > 0) return undefined;
  const { workspace, confirm } = reserved;
  const call = { command, arguments: values, workspace, confirm, isReworded: true, isGuess };
  return nextAfter(error, call, around);
}

function commandOf(words: readonly string[], commands: readonly CommandFacts[]) {
  const [first = "", second = ""] = words;
  const exact =
    commands.find(({ path }) => path === `${first} ${second}`) ??
    commands.find(({ path, aliases = [] }) => path === first || aliases.includes(first));
  if (exact) return { command: exact, words: exact.path === `${first} ${second}` ? 2 : 1, isGuess: false };
  const meant = commandMeant(commands, words);
  return meant && { ...meant, isGuess: !meant.isSlip };
}

/**
 * With the flags that were meant. A read also does without flags that it does not have, and without words too many.
 * Undefined if it is not clear whether a word is the value of such a flag.
 */
function meantLine(command: CommandFacts, line: readonly string[]): string[] | undefined {
  const isRead = command.effect === "read";
  const { unread } = readArgumentLine(command.specs, line);
  const unknown = new Map(
    unread.flatMap(({ at, flag }) => (flag === undefined ? [] : [[at, flag] as const])),
  );
  const surplus = new Set(unread.flatMap(({ at, flag }) => (flag === undefined ? [at] : [])));
  /** `--force`, which takes no value and which a change can do without. */
  const isMore = (at: number) => !line[at]?.includes("=") && asksForMore(unknown.get(at) ?? "");
  const isValue = (at: number) =>
    unknown.has(at - 1) && !isMore(at - 1) && !line[at - 1]?.includes("=") && !line[at]?.startsWith("-");
  // Without the unknown flags, and what may be their values.
  const { values } = readArgumentLine(
    command.specs,
    line.filter((_, at) => !unknown.has(at) && !isValue(at)),
  );
  const free = command.specs.filter(({ name }) => !Object.hasOwn(values, name));
  const meant: string[] = [];
  for (const [at, word] of line.entries()) {
    const flag = unknown.get(at);
    const own = flag === undefined ? undefined : flagMeant(flag, free);
    if (own !== undefined) meant.push(word.replace(/^--?[^=]*/, `--${own}`));
    else if (isMore(at)) continue;
    else if (flag !== undefined) {
      if (!isRead || (at + 1 < line.length && isValue(at + 1) && !surplus.has(at + 1))) return undefined;
    } else if (!(isRead && surplus.has(at) && flagMeant(unknown.get(at - 1) ?? "", free) === undefined)) {
      meant.push(word);
    }
  }
  return meant;
}

function flagMeant(flag: string, free: Parameters<typeof argumentMeant>[1]): string | undefined {
  if (flag === "") return undefined;
  const own = argumentMeant(flag, free)?.flag;
  if (own !== undefined) return own;
  return /^workspace(id|name|slug)$/.test(letters(flag))
    ? "workspace"
    : suggest(flag, ["workspace", "dry-run"]);
}
