import { Agent, request } from "node:http";

interface Sent {
  method: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

/** Kept connections and nothing more: `fetch` costs its caller more than a server takes to answer. */
export class HttpClient implements Disposable {
  readonly #agent = new Agent({ keepAlive: true });

  /** Throws at anything but success. */
  send(url: string, { method, headers = {}, body = "" }: Sent): Promise<string> {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const length = { "content-length": String(Buffer.byteLength(body)) };
    const sent = request(
      url,
      { method, agent: this.#agent, headers: { ...headers, ...length } },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on("data", (chunk: Buffer) => chunks.push(chunk));
        answer.on("error", reject);
        answer.on("end", () => {
          const text = Buffer.concat(chunks).toString();
          const { statusCode = 0 } = answer;
          if (statusCode >= 200 && statusCode < 300) resolve(text);
          else reject(new Error(`${method} ${url}: ${statusCode} ${text}`));
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
