import { localVerbNames } from "@svc/protocol/local-verbs";
import type { CommandDefinition } from "./command.ts";

interface Worded extends Pick<CommandDefinition, "effect" | "aliases" | "isDefault"> {
  path: string;
  group: string;
  name: string;
}

/** Refuses words that two commands claim, or that would never reach their command. */
export function checkWords(commands: readonly Worded[]): void {
  const taken = new Map<string, string>([
    ["help", "is help"],
    ...localVerbNames.map((word): [string, string] => [word, "runs in the client"]),
  ]);
  for (const { group } of commands) claim(group, "is a group");
  for (const { path, aliases = [] } of commands) {
    for (const alias of aliases) {
      if (!/^[a-z]+$/.test(alias)) throw new Error(`command ${path}: an alias is one word, not \`${alias}\``);
      const owner = taken.get(alias);
      if (owner !== undefined) throw new Error(`command ${path}: its alias \`${alias}\` ${owner}`);
      taken.set(alias, `is an alias of ${path}`);
    }
  }
  checkDefaults(commands);

  function claim(word: string, as: string): void {
    const owner = taken.get(word);
    if (owner !== undefined && owner !== as) throw new Error(`group ${word}: this word ${owner}`);
    taken.set(word, as);
  }
}

/** A default command runs whatever was mistyped, so it must not change anything. */
function checkDefaults(commands: readonly Worded[]): void {
  const defaults = new Map<string, string>();
  for (const { path, group, name, effect, isDefault } of commands) {
    if (isDefault && effect !== "read") throw new Error(`command ${path}: a default command only reads`);
    if (!isDefault && name !== group) continue;
    const other = defaults.get(group);
    if (other !== undefined) throw new Error(`group ${group}: both ${other} and ${path} are its default`);
    defaults.set(group, path);
  }
}
