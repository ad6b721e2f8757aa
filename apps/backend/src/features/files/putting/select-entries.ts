import { z } from "zod";
import { isStorable, repairName } from "../tree/path.ts";

/** What to leave out of a folder, and what to do with names that cannot be stored. */
export const selecting = {
  exclude: z
    .array(z.string().min(1).max(255))
    .max(100)
    .default([])
    .describe("Leave out what has this name; with a slash, this path in the folder. * and ? match any text"),
  badNames: z
    .enum(["refuse", "skip", "rename"])
    .default("refuse")
    .describe("What to do with names that cannot be stored"),
};
const Selecting = z.object(selecting);
export type Selecting = z.output<typeof Selecting>;

/** The entries to store, by their places, with the names to store them under. */
export function selectEntries<Entry extends { names: readonly string[] }>(
  entries: readonly Entry[],
  { exclude, badNames }: Selecting,
): Map<number, Entry> {
  const selected = new Map<number, Entry>();
  const isExcluded = excludes(exclude);
  for (const [place, entry] of entries.entries()) {
    const { names } = entry;
    if (isExcluded(names)) continue;
    if (badNames === "refuse" || names.every(isStorable)) selected.set(place, entry);
    else if (badNames === "rename") selected.set(place, { ...entry, names: names.map(repairName) });
  }
  return selected;
}

/** Whether a path in the folder is left out, with everything in it if it is a folder itself. */
export function excludes(exclude: Selecting["exclude"]): (names: readonly string[]) => boolean {
  const patterns = exclude.map((pattern) => pattern.normalize("NFC").replace(/^\/|\/$/g, ""));
  if (patterns.length === 0) return () => false;
  const [ofPaths, ofNames] = [
    patterns.filter((pattern) => pattern.includes("/")),
    patterns.filter((pattern) => !pattern.includes("/")),
  ];
  // Lists of entries go folder by folder: what the last one said of their folders need not be found out again.
  let last: { name: string; path: string; isOut: boolean }[] = [];
  return (names) => {
    const known = last.findIndex(({ name }, depth) => name !== names[depth]);
    const walked = last.slice(0, known < 0 ? undefined : known);
    for (const name of names.slice(walked.length)) {
      const above = walked.at(-1);
      const normal = name.normalize("NFC");
      const path = above ? `${above.path}/${normal}` : normal;
      const isOut =
        above?.isOut ||
        ofNames.some((pattern) => matches(normal, pattern)) ||
        ofPaths.some((pattern) => matches(path, pattern));
      walked.push({ name, path, isOut });
    }
    last = walked;
    return walked.at(-1)?.isOut ?? false;
  };
}

/** Takes the length of both at most: a regular expression can take exponentially long. */
export function matches(text: string, pattern: string): boolean {
  let [at, to, star, after] = [0, 0, -1, 0];
  while (at < text.length) {
    if (pattern[to] === "?" || (pattern[to] === text[at] && pattern[to] !== "*")) {
      at += 1;
      to += 1;
    } else if (pattern[to] === "*") {
      [star, after] = [to, at];
      to += 1;
    } else if (star >= 0) {
      // The last star takes one character more.
      after += 1;
      [at, to] = [after, star + 1];
    } else return false;
  }
  return [...pattern.slice(to)].every((rest) => rest === "*");
}
