import type { Answer, HttpOptions } from "@svc/machine/network/http";
import type { ProgressAnswer } from "@svc/protocol/exchange";

/** The service that files go to or come from. */
export interface Connection {
  readonly signal: AbortSignal;
  /** Fetches an address that the service gave, on its own origin only. */
  fetch(href: string, options: Omit<HttpOptions, "signal">): Promise<Answer>;
  /** What the service answered instead of what was asked for. */
  refusal(answer: Answer): Promise<Error>;
  /** An answer that ended before it was complete. */
  cut(): Error;
  /** Repeats work after interruptions, as long as something arrives in between. */
  persevere(work: () => Promise<void>, arrived: () => number): Promise<void>;
}

export interface Progress {
  /** The subject is what people know it by: the name of a file or folder. */
  show(step: Omit<ProgressAnswer, "kind"> & { subject: string }): void;
}

/** Who sends or receives something that people know by its label. */
export interface Sender {
  service: Connection;
  progress: Progress;
  label: string;
}
