import type { Refusal } from "./lines/attempt.ts";
import type { Person } from "./things.ts";

/** What every command needs before its arguments are read: the scope of its group. */
const scopes: Record<string, string> = {
  embeddings: "search:write",
  trash: "files:write",
};

/** AI members leave these groups and commands to people, whatever they previewed or confirm. */
const leftToPeople = ["tokens", "administrators", "settings", "budget", "search log"];
/** These they do only if a person approves exactly that. */
const approved = ["access", "members", "groups"];
const destroying = ["trash purge"];

export function mayRun({ kind, isDisabled, scopes: held }: Person, command: string): Refusal {
  // Whether a line needs a confirmation depends only on the line.
  if (isDisabled) return ["not_permitted", "confirmation_required"];
  const [group = ""] = command.split(" ");
  if (!held.includes("*") && !held.includes(scopes[group] ?? `${group}:write`)) return ["not_permitted"];
  if (kind === "ai" && [group, command].some((name) => leftToPeople.includes(name))) return ["not_permitted"];
  return undefined;
}

export function needsApproval({ kind }: Person, command: string): boolean {
  const [group = ""] = command.split(" ");
  return kind === "ai" && (approved.includes(group) || destroying.includes(command));
}

export type Mode = "plain" | "dry-run" | "confirmed" | "by token";

/** What happens to a permitted line: done, only previewed, asked for, or refused without a confirmation. */
export function outcomeOf(who: Person, command: string, mode: Mode): "commit" | "preview" | "ask" | "refuse" {
  const { kind } = who;
  if (mode === "dry-run") return "preview";
  if (mode === "by token") return needsApproval(who, command) ? "ask" : "commit";
  if (kind === "ai") return mode === "plain" ? "preview" : "refuse";
  return mode === "plain" && destroying.includes(command) ? "refuse" : "commit";
}
