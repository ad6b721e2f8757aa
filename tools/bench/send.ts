import type { Target } from "./measure-http.ts";

/** The target's request, once: before measuring, its answer must be the expected one. */
export async function send({ url, method, headers = {}, body }: Target): Promise<unknown> {
  const answer = await fetch(url, { method, headers, ...(body === undefined ? {} : { body }) });
  if (!answer.ok) throw new Error(`${method} ${url}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}
