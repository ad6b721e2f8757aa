import { encodeId } from "@svc/protocol/typed-id";
import { z } from "zod";
import type { Operation } from "./operations-store.ts";

export const OperationView = z.object({
  id: z.string(),
  command: z.string(),
  actor: z.string(),
  summary: z.string(),
  state: z.enum(["done", "undone", "running", "failed"]),
  /** Background work that continues after the answer. */
  progress: z
    .object({ done: z.int(), total: z.int(), unit: z.string(), note: z.string().optional() })
    .optional(),
  createdAt: z.iso.datetime(),
});

export function operationView(operation: Operation) {
  const { id, command, actorName, createdAt, done, total, unit, note } = operation;
  return {
    id: encodeId("operation", id),
    command,
    actor: actorName ?? "-",
    summary: summarise(operation),
    state: stateOf(operation),
    ...(done === null || total === null || unit === null
      ? {}
      : { progress: { done, total, unit, ...(note === null ? {} : { note }) } }),
    createdAt: createdAt.toISOString(),
  };
}

function stateOf({ undoneAt, progressState }: Operation): z.output<typeof OperationView>["state"] {
  if (undoneAt !== null) return "undone";
  if (progressState === "failed") return "failed";
  return progressState === "waiting" || progressState === "running" ? "running" : "done";
}

function summarise({ firstChanges, changeCount }: Operation): string {
  const first = firstChanges.map(({ action, type, name }) => `${action} ${type} ${name}`);
  const more = changeCount - first.length;
  return `${first.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
