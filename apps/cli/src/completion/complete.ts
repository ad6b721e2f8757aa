import type { HelpTree } from "@svc/protocol/help";
import { localVerbNames } from "@svc/protocol/local-verbs";
import { toTerminalLine } from "@svc/rendering/terminal-text";
import type { Invocation } from "../invocation.ts";
import { isLocalVerb } from "../local-verbs.ts";
import { openService } from "../network/open-service.ts";
import type { Service } from "../network/service.ts";

interface Candidate {
  word: string;
  meaning: string;
}

/** The longest wait after Tab, in milliseconds, whatever the network does. */
export const completionMillis = 800;

/**
 * Words that may come next, one per line, for a shell that set SVC_COMPLETE: not a verb that people type. Candidates
 * come from the server's help; after any failure there are none, and no message.
 */
export async function complete(invocation: Invocation): Promise<number> {
  const limit = AbortSignal.timeout(completionMillis);
  const signal = AbortSignal.any([invocation.signal, limit]);
  try {
    const { promise: late, reject } = Promise.withResolvers<never>();
    limit.addEventListener("abort", () => reject(limit.reason), { once: true });
    const candidates = await Promise.race([candidatesFor({ ...invocation, signal }), late]);
    const current = invocation.typed.at(-1) ?? "";
    const lines = candidates
      .filter(({ word }) => word.startsWith(current))
      .map(({ word, meaning }) => `${toTerminalLine(word)}\t${toTerminalLine(meaning)}\n`);
    await invocation.terminal.out(lines.join(""));
  } catch {
    // Somebody is in the middle of typing: a message would garble their line.
  }
  return 0;
}

async function candidatesFor(invocation: Invocation): Promise<Candidate[]> {
  const before = invocation.typed.slice(0, -1);
  const current = invocation.typed.at(-1) ?? "";
  if (before.at(-1) === "--format") return ["json", "table", "tsv"].map((word) => ({ word, meaning: "" }));
  const path = before.filter((word) => !word.startsWith("-"));
  const [first] = path;
  if (isLocalVerb(first)) {
    return first === "use" ? workspaces(await openService(invocation)) : [];
  }
  const commands = await commandsBelow(await openService(invocation), path);
  if (path.length === 0)
    return [...wordsOf(commands), ...localVerbNames.map((word) => ({ word, meaning: "on this machine" }))];
  const command =
    commands.find(({ path: whole, aliases = [] }) =>
      [whole, ...aliases].some((words) => `${path.join(" ")} `.startsWith(`${words} `)),
    ) ?? (path.length > 1 ? commands.find(({ isDefault }) => isDefault) : undefined);
  if (!command)
    return commands.map(({ path: whole, summary }) => ({
      word: whole.split(" ")[1] ?? "",
      meaning: summary,
    }));
  const last = command.arguments.find(({ flag }) => flag === before.at(-1));
  if (last?.choices) return last.choices.map((word) => ({ word, meaning: "" }));
  if (!current.startsWith("-")) return [];
  return command.arguments.map(({ flag, description }) => ({ word: flag, meaning: description }));
}

type Command = HelpTree["categories"][number]["groups"][number]["commands"][number];

async function commandsBelow(server: Service, path: readonly string[]): Promise<Command[]> {
  const answer = await server.type({ argv: [...path.slice(0, 1), "--help", "--json"] }, () => {});
  if (answer.kind !== "help") return [];
  return answer.tree.categories.flatMap(({ groups }) => groups).flatMap(({ commands }) => commands);
}

function wordsOf(commands: readonly Command[]): Candidate[] {
  const groups = Map.groupBy(commands, ({ group }) => group);
  return [
    ...[...groups].map(([word, [only, ...more]]) => ({
      word,
      meaning: more.length === 0 ? (only?.summary ?? "") : `${more.length + 1} commands`,
    })),
    ...commands.flatMap(({ aliases = [], summary }) => aliases.map((word) => ({ word, meaning: summary }))),
  ];
}

async function workspaces(server: Service): Promise<Candidate[]> {
  const context = await server.context();
  const times = Map.groupBy(context.workspaces, ({ slug }) => slug);
  // A slug that two workspaces share is ambiguous.
  return context.workspaces.map(({ id, slug, name }) => ({
    word: times.get(slug)?.length === 1 ? slug : id,
    meaning: name,
  }));
}
