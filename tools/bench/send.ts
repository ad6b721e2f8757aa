import type { Target } from "./measure-http.ts";

/** The target's request, once: what is measured must first be seen to answer what we think it does. */
export async function send({ url, method, headers = {}, body }: Target): Promise<unknown> {
  const answer = await fetch(url, { method, headers, ...(body === undefined ? {} : { body }) });
  if (!answer.ok) throw new Error(`${method} ${url}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}
