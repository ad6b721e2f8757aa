import { localPrefix } from "@svc/command-router/arguments/address";
import type { Completion } from "@svc/protocol/completion";
import { encodeId } from "@svc/protocol/typed-id";
import type { CommandContext } from "../../platform/commands/command-context.ts";
import { clearWords } from "../../platform/completions/clear-words.ts";
import { visibleWorkspaces } from "./workspaces.ts";

/** By slug, or by id where the slug would name another one. `ending` makes it the beginning of an address. */
export async function completeWorkspaces(
  context: CommandContext,
  typed: string,
  limit: number,
  ending = "",
): Promise<Completion[]> {
  // Workspaces with the same slug are beside each other: without the last, none has lost its namesake.
  const found = await visibleWorkspaces(context, { limit: limit + 1, beginning: typed });
  const whole = found.length > limit ? found.filter(({ slug }) => slug !== found.at(-1)?.slug) : found;
  const named = whole.map(({ id, slug, name }) => ({
    id: encodeId("workspace", id),
    name: slug,
    meaning: name,
  }));
  return clearWords(
    named.filter(({ name }) => ending === "" || name !== localPrefix),
    typed,
  ).map(({ word, meaning }) => ({ word: `${word}${ending}`, meaning }));
}
