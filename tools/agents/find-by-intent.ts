import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Catalog } from "@svc/command-router/catalog";
import { CommandFinder } from "@svc/command-router/help/find-commands";

/** What somebody wants, and the command that does it; `or` another that does as well. */
interface Intent {
  intent: string;
  command: string;
  or?: string;
}

/** Share of intents whose command is among the first five. */
export const findingBar = 0.85;

/** Written by somebody who had seen the names of commands and neither summaries nor keywords, then frozen. */
export function frozenIntents(): Intent[] {
  return JSON.parse(readFileSync(join(import.meta.dirname, "intents.json"), "utf8")) as Intent[];
}

/** Where the finder of `commands_search` has the command of each intent; 0 is first, Infinity is nowhere. */
export function placesOf({ commands }: Pick<Catalog, "commands">, intents: readonly Intent[]) {
  const finder = new CommandFinder(
    commands.filter(
      ({ agents, specs }) => agents !== "never" && !specs.some((spec) => spec.localFile && spec.required),
    ),
  );
  return intents.map(({ intent, command, or }) => {
    const found = finder.find(intent).map(({ path }) => path);
    const places = [command, or].map((path) => found.indexOf(path ?? "")).filter((place) => place >= 0);
    return { intent, command, place: Math.min(Number.POSITIVE_INFINITY, ...places), first: found[0] ?? "" };
  });
}

export function shareWithin(places: readonly { place: number }[], first: number): number {
  return places.filter(({ place }) => place < first).length / places.length;
}
