import type { QueueWatch, WatchedState } from "../jobs/queue-watch.ts";
import { Probe } from "./probe.ts";

/** For metrics: one question for all of them, and nothing rather than an old number if the database does not answer. */
export function queueNumbers(
  queue: () => Pick<QueueWatch, "read"> | undefined,
): () => Promise<WatchedState | undefined> {
  const probe = new Probe<WatchedState | undefined>({
    ask: async () => queue()?.read(),
    onFailure: () => undefined,
    limitMillis: 2_000,
    freshMillis: 500,
  });
  return () => probe.answer(2_500);
}
