import { setTimeout as sleep } from "node:timers/promises";
import type { HttpCaller } from "../../testing/processes/http-caller.ts";

interface Sent {
  hasEnded: boolean;
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

  /** How many requests began so far: what comes after a count came after its time. */
  get count(): number {
    return this.#sent.length;
  }

  /** Whether a request is still under way that had begun by then. */
  isStuckSince(count: number): boolean {
    return this.#sent.slice(0, count).some(({ hasEnded }) => !hasEnded);
  }

  hasAnswerSince(count: number): boolean {
    return this.#sent.slice(count).some(({ isAnswered }) => isAnswered);
  }

  hasWrittenSince(count: number): boolean {
    return this.#sent.slice(count).some(({ isAnswered, isWrite }) => isAnswered && isWrite);
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#callers);
  }

  async #call(caller: HttpCaller, index: number): Promise<void> {
    for (let turn = 0; !this.#isOver; turn += 1) {
      const isWrite = index % 2 === 1;
      const sent: Sent = { hasEnded: false, isAnswered: false, isWrite };
      this.#sent.push(sent);
      const argv = isWrite ? ["files", "mkdir", `/${index}-${turn}`, "--workspace", "home"] : ["whoami"];
      const { status, body } = await caller.post({ argv });
      sent.hasEnded = true;
      sent.isAnswered = status === 200 && body.kind !== "problem";
      if (!sent.isAnswered) await sleep(50);
    }
  }
}
