import type { Refusal } from "./lines/attempt.ts";
import type { Person } from "./things.ts";

/** What every command needs before its arguments are read: the scope of its group. */
const scopes: Record<string, string> = {
  embeddings: "search:write",
  trash: "files:write",
};

/** AI members leave these to people, whatever they previewed or confirm. */
const leftToPeople = ["access", "members", "groups", "tokens", "administrators", "settings"];
const destroying = ["trash purge"];

export function mayRun({ kind, isDisabled, scopes: held }: Person, command: string): Refusal {
  // Whether a line needs a confirmation depends only on the line.
  if (isDisabled) return ["not_permitted", "confirmation_required"];
  const [group = ""] = command.split(" ");
  if (!held.includes("*") && !held.includes(scopes[group] ?? `${group}:write`)) return ["not_permitted"];
  if (kind === "ai" && (leftToPeople.includes(group) || destroying.includes(command)))
    return ["not_permitted"];
  return undefined;
}

export type Mode = "plain" | "dry-run" | "confirmed" | "by token";

/** What happens to a permitted line: done, only previewed, or refused without a confirmation. */
export function outcomeOf({ kind }: Person, command: string, mode: Mode): "commit" | "preview" | "refuse" {
  if (mode === "dry-run") return "preview";
  if (mode === "by token") return "commit";
  if (kind === "ai") return mode === "plain" ? "preview" : "refuse";
  return mode === "plain" && destroying.includes(command) ? "refuse" : "commit";
}
