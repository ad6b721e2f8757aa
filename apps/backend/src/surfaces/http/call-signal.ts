import { ProblemError } from "@svc/protocol/problem";
import type { FastifyReply } from "fastify";

/**
 * Aborts where the caller goes away, or the time is over. Fastify has both, and they do not work together: its
 * `request.signal` aborts as soon as a body has been read, which also stops its handlerTimeout (fastify#6725), so that
 * over HTTP every command would begin aborted and none would ever end in time.
 */
export function callSignal({ raw }: FastifyReply, millis: number): AbortSignal {
  const controller = new AbortController();
  const giveUp = (why: string) => controller.abort(new ProblemError("timeout", why));
  const timer = setTimeout(() => giveUp("The command took too long and was given up."), millis);
  const onClose = () => {
    clearTimeout(timer);
    if (!raw.writableFinished) giveUp("The caller did not wait for the answer.");
  };
  if (raw.destroyed) onClose();
  else raw.once("close", onClose);
  return controller.signal;
}

/** The work's own end, or the signal's where that comes first: an answer leaves in time even if the work does not listen. */
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
