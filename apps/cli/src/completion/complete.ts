import { AnswerCache } from "@svc/machine/files/answer-cache";
import { localCandidates } from "@svc/machine/files/local-candidates";
import { shellCandidate } from "@svc/machine/shell/shell-candidate";
import { readShellLine } from "@svc/machine/shell/shell-line";
import { isCompletionsAnswer } from "@svc/protocol/answers";
import type { Completion, CompletionsAnswer } from "@svc/protocol/completion";
import { localVerbNames } from "@svc/protocol/local-verbs";
import { toTerminalLine } from "@svc/rendering/terminal-text";
import { build } from "../build.ts";
import { ambientHeaders } from "../environment.ts";
import type { Invocation } from "../invocation.ts";
import { isLocalVerb } from "../local-verbs.ts";
import { openService } from "../network/open-service.ts";
import { takeRenderingFlags } from "../rendering/rendering-flags.ts";
import { chosenWorkspace } from "../state/chosen-workspace.ts";

/** The longest wait after Tab, in milliseconds, whatever the network does. */
export const completionMillis = 300;

/**
 * Words that can come next, one per line, for a shell that set SVC_COMPLETE to its name: not a verb that people type.
 * It gives a hint of what it will replace, and the line up to the cursor. After any failure there is no message, because it
 * would garble the line.
 */
export async function complete(invocation: Invocation): Promise<number> {
  const { terminal, environment, typed } = invocation;
  const line = readShellLine(String(environment.SVC_COMPLETE), typed[0] ?? "", typed[1] ?? "");
  const found = await candidatesFor(invocation, line.words, line.word).catch(() => []);
  const lines = found
    // What a terminal would obey or hide has no place in a line.
    .filter(({ word }) => toTerminalLine(word) === word)
    .map(({ word, meaning }) => [shellCandidate(line, word), toTerminalLine(meaning)])
    .filter(([word]) => word !== undefined);
  await terminal.out(lines.map((each) => `${each.join("\t")}\n`).join(""));
  return 0;
}

async function candidatesFor(
  invocation: Invocation,
  words: readonly string[],
  word: string,
): Promise<Completion[]> {
  const [first, last] = [words[0], words.at(-1)];
  if (last === "--format") return named(word, ["json", "table", "tsv"]);
  if (last === "--output") return filesFor(invocation, word);
  const isUse = first === "use" && words.length === 1;
  if (last === "--fields" || (isLocalVerb(first) && !isUse)) return [];
  const argv = isUse ? ["--workspace"] : takeRenderingFlags(words).argv;
  const answer = await ask(invocation, argv, word).catch(() => undefined);
  const typed = word.normalize();
  return [
    ...(answer?.completions ?? []).filter((each) => each.word.normalize().startsWith(typed)),
    ...(answer?.files ? await filesFor(invocation, word) : []),
    ...(first === undefined ? named(word, localVerbNames, "on this machine") : []),
    ...(first !== undefined && !isUse && word.startsWith("-")
      ? named(word, ["--format", "--fields", "--output", "--force"])
      : []),
  ];
}

/** From the server, or from what it said shortly before to the same account about the same line. */
async function ask(
  invocation: Invocation,
  argv: readonly string[],
  word: string,
): Promise<CompletionsAnswer> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const limit = AbortSignal.timeout(completionMillis);
  limit.addEventListener("abort", () => reject(limit.reason), { once: true });
  return Promise.race([answered(), late]);

  async function answered(): Promise<CompletionsAnswer> {
    const { environment } = invocation;
    const signal = AbortSignal.any([invocation.signal, limit]);
    const service = await openService({ ...invocation, signal });
    const { credential, baseUrl } = service;
    const workspace = await chosenWorkspace(service, environment);
    const cache = new AnswerCache<CompletionsAnswer>(environment, isCompletionsAnswer);
    const whose = [baseUrl.href, credential.account, ambientHeaders(environment), workspace];
    const key = [build.version, ...whose, argv, word];
    const kept = await cache.read(key).catch(() => undefined);
    if (kept) return kept;
    const answer = await service.complete({
      argv: [...argv],
      workspace,
      complete: { word, offset: word.length },
    });
    await cache.write(answer, answer.maxAge, key).catch(() => {});
    return answer;
  }
}

async function filesFor({ environment }: Invocation, word: string): Promise<Completion[]> {
  // fish drops candidates that begin with a dot if the word does not.
  const bare = environment.SVC_COMPLETE === "fish" ? "file:" : "./";
  return named("", await localCandidates(word, environment, bare));
}

function named(typed: string, words: readonly string[], meaning = ""): Completion[] {
  return words.filter((word) => word.startsWith(typed)).map((word) => ({ word, meaning }));
}
