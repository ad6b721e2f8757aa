import { setTimeout as sleep } from "node:timers/promises";
import type { HttpCaller } from "../../testing/processes/http-caller.ts";

interface Sent {
  startedAt: number;
  /** Absent while it is under way. */
  endedAt?: number;
  isAnswered: boolean;
  isWrite: boolean;
}

/** Callers who read and write without a pause, and go on whatever the answer is. */
export class Load {
  readonly #sent: Sent[] = [];
  readonly #callers: Promise<void>[];
  #isOver = false;

  constructor(caller: HttpCaller, size: number) {
    this.#callers = Array.from({ length: size }, (_, index) => this.#call(caller, index));
  }

  /** Whether a request is still under way that was at that time. */
  isStuckSince(at: number): boolean {
    return this.#sent.some(({ startedAt, endedAt }) => startedAt <= at && endedAt === undefined);
  }

  hasAnswerSince(at: number): boolean {
    return this.#sent.some(({ startedAt, isAnswered }) => startedAt > at && isAnswered);
  }

  hasWrittenSince(at: number): boolean {
    return this.#sent.some(({ startedAt, isAnswered, isWrite }) => startedAt > at && isAnswered && isWrite);
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#callers);
  }

  async #call(caller: HttpCaller, index: number): Promise<void> {
    for (let turn = 0; !this.#isOver; turn += 1) {
      const isWrite = index % 2 === 1;
      const sent: Sent = { startedAt: performance.now(), isAnswered: false, isWrite };
      this.#sent.push(sent);
      const argv = isWrite ? ["files", "mkdir", `/${index}-${turn}`, "--workspace", "home"] : ["whoami"];
      const { status, body } = await caller.post({ argv });
      sent.endedAt = performance.now();
      sent.isAnswered = status === 200 && body.kind !== "problem";
      if (!sent.isAnswered) await sleep(50);
    }
  }
}
