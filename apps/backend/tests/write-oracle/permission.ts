import type { Refusal } from "./lines/attempt.ts";
import type { Person } from "./things.ts";

/** What every command needs before anybody looks at its arguments: the scope of its group. */
const scopes: Record<string, string> = {
  embeddings: "search:write",
  trash: "files:write",
};

/** AI members leave these to people, whatever they were shown and whatever they confirm. */
const leftToPeople = ["access", "members", "groups", "tokens", "administrators", "settings"];
const destroying = ["trash purge"];

export function mayRun({ kind, isDisabled, scopes: held }: Person, command: string): Refusal {
  // Whether a line wants a confirmation is asked of itself alone.
  if (isDisabled) return ["not_permitted", "confirmation_required"];
  const [group = ""] = command.split(" ");
  if (!held.includes("*") && !held.includes(scopes[group] ?? `${group}:write`)) return ["not_permitted"];
  if (kind === "ai" && (leftToPeople.includes(group) || destroying.includes(command)))
    return ["not_permitted"];
  return undefined;
}

export type Mode = "plain" | "dry-run" | "confirmed" | "by token";

/** What becomes of a line that may be run: done, shown only, or refused for want of a confirmation. */
export function outcomeOf({ kind }: Person, command: string, mode: Mode): "commit" | "preview" | "refuse" {
  if (mode === "dry-run") return "preview";
  if (mode === "by token") return "commit";
  if (kind === "ai") return mode === "plain" ? "preview" : "refuse";
  return mode === "plain" && destroying.includes(command) ? "refuse" : "commit";
}
