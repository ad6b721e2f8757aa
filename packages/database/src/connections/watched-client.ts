import type { Socket } from "node:net";
import pg from "pg";
import { SilentConnection } from "./silent-connection.ts";

export interface WatchedClientOptions extends pg.ClientConfig {
  /** How long the server may say nothing while a statement runs. */
  silenceMillis: number;
  onSilence: () => void;
}

/** A silent network does not even confirm that we leave. */
const goodbyeMillis = 1_000;

/**
 * A connection that notices when nobody is at the other end. The driver's `query_timeout` gives up the statement and
 * keeps the connection, whose next statement would queue behind one that never ends; here the socket itself is
 * destroyed, so every statement on it fails and the pool drops it.
 */
export class WatchedClient extends pg.Client {
  readonly #silenceMillis: number;
  #isLeaving = false;

  constructor(options: WatchedClientOptions) {
    super(options);
    this.#silenceMillis = options.silenceMillis;
    this.once("connect", () => {
      this.#socket.on("timeout", () => {
        if (this.#isLeaving) return void this.#socket.destroy();
        this.abandon(new SilentConnection(this.#silenceMillis));
        options.onSilence();
      });
    });
    // No statement is left: from now on silence is what we expect.
    this.on("drain", () => {
      if (!this.#isLeaving) this.#socket.setTimeout(0);
    });
  }

  /** Closes the socket without a word to the server, which may be unable to hear it. */
  abandon(reason: Error): void {
    this.#socket.destroy(reason);
  }

  /** Its many forms are the driver's; `never` fits the result of each. */
  override query(...given: unknown[]): never {
    this.#socket.setTimeout(this.#silenceMillis);
    return Reflect.apply(super.query, this, given) as never;
  }

  override end(...given: unknown[]): never {
    this.#isLeaving = true;
    this.#socket.setTimeout(goodbyeMillis);
    return Reflect.apply(super.end, this, given) as never;
  }

  /** Not in the driver's types. Read each time: TLS replaces it. */
  get #socket(): Socket {
    return (this as unknown as { connection: { stream: Socket } }).connection.stream;
  }
}
