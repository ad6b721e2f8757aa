import type { CompletionsAnswer } from "@svc/protocol/completion";
import { headers } from "@svc/protocol/headers";
import type { TestBackend } from "../test-backend.ts";

/** What a client is told to offer for the last of these words. */
export async function complete(
  backend: TestBackend,
  token: string,
  line: readonly string[],
  { workspace, sent = {} }: { workspace?: string; sent?: Record<string, string> } = {},
): Promise<CompletionsAnswer> {
  const answer = await askToComplete(backend, token, line, { workspace, sent });
  if (answer.statusCode !== 200) throw new Error(`${line.join(" ")}: ${answer.statusCode} ${answer.body}`);
  return answer.json();
}

export function askToComplete(
  backend: TestBackend,
  token: string,
  line: readonly string[],
  { workspace, sent = {} }: { workspace?: string | undefined; sent?: Record<string, string> } = {},
) {
  const word = line.at(-1) ?? "";
  return backend.server.inject({
    method: "POST",
    url: "/api/v1/cli",
    headers: { authorization: `Bearer ${token}`, [headers.completion]: "1", ...sent },
    payload: { argv: line.slice(0, -1), workspace, complete: { word, offset: word.length } },
  });
}

export function wordsOf({ completions }: CompletionsAnswer): string[] {
  return completions.map(({ word }) => word);
}
