import type { Need } from "./needs.ts";
import type { Page, TaskAgent } from "./task-agent.ts";

interface Text {
  text: string;
  nextOffset?: number;
}

interface Hit {
  address: string;
  passages?: { start: number; pieces: { text: string }[] }[];
}

/** So many hits are looked at, and so many characters are read at a time. */
const hits = 3;
const range = 400;

/** Searches. If no passage has the answer, reads ranges of the files around theirs until one has. */
export async function bySearch(agent: TaskAgent, { query, answer }: Need): Promise<void> {
  const { items } = await agent.read<Page<Hit>>("search query", { query: [query], limit: hits, passages: 1 });
  const passages = items.flatMap((hit) => hit.passages ?? []);
  if (passages.some(({ pieces }) => answer.test(pieces.map(({ text }) => text).join("")))) return;
  for (const { address, passages: [passage] = [] } of items.filter((hit) => hit.address.includes(":/"))) {
    const offset = Math.max(0, (passage?.start ?? 0) - range / 4);
    const first = await agent.read<Text>("files cat", { target: address, offset, limit: range });
    if (answer.test(first.text)) return;
    if (first.nextOffset === undefined) continue;
    const next = { target: address, offset: first.nextOffset, limit: range };
    if (answer.test((await agent.read<Text>("files cat", next)).text)) return;
  }
  throw new Error(`not found by searching for ${query}`);
}

/** Lists everything below a folder, and reads whole files in that order until one has the answer. */
export async function byListing(
  agent: TaskAgent,
  { workspace, folder, answer }: Need,
  from: string,
): Promise<void> {
  const files: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await agent.read<Page<{ path: string; kind: string }>>("files list", {
      folder: from,
      recursive: true,
      limit: 200,
      workspace,
      ...(cursor === undefined ? {} : { cursor }),
    });
    files.push(...page.items.filter(({ kind }) => kind === "file").map(({ path }) => path));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  for (const target of files.filter((path) => path.startsWith(`${folder}/`))) {
    let offset: number | undefined = 0;
    while (offset !== undefined) {
      const part: Text = await agent.read<Text>("files cat", {
        target,
        workspace,
        ...(offset === 0 ? {} : { offset }),
      });
      if (answer.test(part.text)) return;
      offset = part.nextOffset;
    }
  }
  throw new Error(`nothing in ${folder} answers`);
}
