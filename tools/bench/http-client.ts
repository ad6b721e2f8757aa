import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

const mostAttempts = 30;

interface Sent {
  method: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

/** Kept connections and nothing else: `fetch` costs its caller more than a server takes to answer. */
export class HttpClient implements Disposable {
  readonly #agent = new Agent({ keepAlive: true });

  /** Throws at anything but success. A busy server is asked again, as it asks for; the time counts. */
  async send(url: string, sent: Sent): Promise<string> {
    for (let attempts = 1; ; attempts += 1) {
      const { status, text } = await this.exchange(url, sent);
      if (status >= 200 && status < 300) return text;
      if (status !== 503 || attempts === mostAttempts)
        throw new Error(`${sent.method} ${url}: ${status} ${text}`);
      await sleep(1_000);
    }
  }

  /** Also returns refusals. */
  exchange(
    url: string,
    { method, headers = {}, body = "" }: Sent,
  ): Promise<{ status: number; text: string }> {
    const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string }>();
    const length = { "content-length": String(Buffer.byteLength(body)) };
    const sent = request(
      url,
      { method, agent: this.#agent, headers: { ...headers, ...length } },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on("data", (chunk: Buffer) => chunks.push(chunk));
        answer.on("error", reject);
        answer.on("end", () => {
          resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(chunks).toString() });
        });
      },
    );
    sent.on("error", reject);
    sent.end(body);
    return promise;
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }
}
