import { setTimeout as sleep } from "node:timers/promises";
import type { Target } from "./measure-http.ts";

const mostAttempts = 10;

/** The target's request, once, for its answer. A busy server is asked again, as it asks for. */
export async function send({ url, method, headers = {}, body }: Target): Promise<unknown> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await fetch(url, { method, headers, ...(body === undefined ? {} : { body }) });
    if (answer.ok) return answer.json();
    const text = await answer.text();
    if (answer.status !== 503 || attempt === mostAttempts) {
      throw new Error(`${method} ${url}: ${answer.status} ${text}`);
    }
    await sleep(1_000 * Number(answer.headers.get("retry-after") ?? 1));
  }
}
