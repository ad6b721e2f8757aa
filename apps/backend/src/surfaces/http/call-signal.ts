import { ProblemError } from "@svc/protocol/problem";
import type { FastifyReply } from "fastify";

/**
 * Aborts if the caller disconnects or the time is up. Fastify has both, but they do not work together: its
 * `request.signal` aborts as soon as a body has been read, which also stops its handlerTimeout (fastify#6725), so over
 * HTTP every command would begin aborted and none would ever time out.
 */
export function callSignal({ raw }: FastifyReply, millis: number): AbortSignal {
  const controller = new AbortController();
  const giveUp = (why: string) => controller.abort(new ProblemError("timeout", why));
  const timer = setTimeout(() => giveUp("The command timed out."), millis);
  const onClose = () => {
    clearTimeout(timer);
    if (!raw.writableFinished) giveUp("The caller disconnected before the answer.");
  };
  if (raw.destroyed) onClose();
  else raw.once("close", onClose);
  return controller.signal;
}

/**
 * Resolves with the work, or rejects with the signal if that comes first: an answer is sent in time even if the work
 * ignores the signal.
 */
export async function untilAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  if (signal.aborted) onAbort();
  else signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
