import type { Command } from "@svc/command-router/catalog";
import type { Dice } from "../../testing/dice.ts";
import { type Caller, callers, secretLabels, visibleLabels } from "./world-with-secrets.ts";

/** A line that names things by their labels, so that it can be typed in any world. */
export interface Guess {
  caller: Caller;
  line: (words: ReadonlyMap<string, string>) => string[];
  shown: string;
  wantsText: boolean;
}

/**
 * Lines of one command, generated from its arguments: first by each caller about their own things, then with each
 * secret in each text argument. The other arguments mostly name the caller's own things, so that lines get far. A new
 * command needs no edit here.
 */
export function guessesFor<Context>(
  { path, specs, effect }: Command<Context>,
  labels: readonly string[],
  dice: Dice,
): Guess[] {
  const isText = ({ type, choices, localFile }: (typeof specs)[number]) =>
    type === "string" && !choices && !localFile;
  const aimed = specs.filter(isText).flatMap(({ name }) => labels.map((label) => ({ name, label })));
  const plain = callers.map((caller) => ({ caller, aim: undefined }));
  const aimedLines = dice.shuffle(aimed).map((aim) => ({ caller: dice.pick(callers) ?? "loner", aim }));

  return [...plain, ...aimedLines].map(({ caller, aim }): Guess => {
    const own = visibleLabels[caller];
    const anyLabel = () => dice.pick(dice.throw() < 0.8 ? own.things : labels) ?? "top";
    const anyWorkspace = () =>
      dice.pick([own.workspace, own.workspace, undefined, dice.pick(secretLabels.workspaces)]);
    const values = new Map<string, { label: string; workspace?: string | undefined } | { text: string }>();
    for (const spec of specs) {
      const { name, required, choices, type, localFile, address } = spec;
      const inWorkspace = address && dice.throw() < 0.3 ? { workspace: anyWorkspace() } : {};
      if (aim?.name === name) values.set(name, { label: aim.label, ...inWorkspace });
      else if (!required && dice.throw() < 0.7) continue;
      else if (localFile) values.set(name, { text: "./local.md" });
      else if (choices) values.set(name, { text: dice.pick(choices) ?? "" });
      else if (type === "string") values.set(name, { label: anyLabel(), ...inWorkspace });
      else values.set(name, { text: "1" });
    }
    const place = anyWorkspace();

    const line = (word: (label: string) => string): string[] => {
      const positional: string[] = [];
      const flags: string[] = [];
      for (const { name, flag, position, type } of specs) {
        const value = values.get(name);
        if (value === undefined) continue;
        const typed = "label" in value ? typedThing(value, word) : value.text;
        if (position !== undefined) positional.push(typed);
        else flags.push(`--${flag}`, ...(type === "boolean" ? [] : [typed]));
      }
      const workspace = place === undefined ? [] : ["--workspace", word(place)];
      const preview = effect === "read" ? [] : ["--dry-run"];
      return [...path.split(" "), ...positional, ...flags, ...workspace, ...preview];
    };
    return {
      caller,
      line: (words) => line((label) => words.get(label) ?? ""),
      shown: line((label) => `<${label}>`).join(" "),
      wantsText: dice.throw() < 0.3,
    };
  });
}

/** By itself, or with a workspace before it. */
function typedThing(
  { label, workspace }: { label: string; workspace?: string | undefined },
  word: (label: string) => string,
): string {
  return workspace === undefined ? word(label) : `${word(workspace)}:${word(label)}`;
}
