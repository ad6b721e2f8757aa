import type { Completion } from "@svc/protocol/completion";

interface Named {
  id: string;
  name: string;
  meaning: string;
}

/** By name, as people know things. A name that two of them share names neither: they are completed by id. */
export function clearWords(found: readonly Named[], typed: string): Completion[] {
  const byName = Map.groupBy(found, ({ name }) => name);
  return found
    .map(({ id, name, meaning }) => ({ word: byName.get(name)?.length === 1 ? name : id, meaning }))
    .filter(({ word }) => word.startsWith(typed));
}
