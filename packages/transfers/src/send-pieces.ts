import { headers } from "@svc/protocol/headers";
import type { Connection } from "./connection.ts";

const patience = 60_000;

/** How much of a file the server has. */
export async function receivedSoFar(service: Connection, href: string): Promise<number> {
  const answer = await service.fetch(href, { method: "HEAD" });
  await answer.discard();
  const offset = answer.headers.get(headers.uploadOffset);
  if (!answer.ok || offset === null || !/^\d{1,15}$/.test(offset)) throw await service.refusal(answer);
  return Number(offset);
}

/** Appends a piece. */
export async function patch(
  service: Connection,
  href: string,
  offset: number,
  body: AsyncIterable<Uint8Array> | Uint8Array,
  more: Record<string, string> = {},
): Promise<void> {
  const answer = await service.fetch(href, {
    method: "PATCH",
    headers: {
      "content-type": "application/offset+octet-stream",
      [headers.uploadOffset]: String(offset),
      ...more,
    },
    body,
    silenceMillis: patience,
  });
  // The last bytes of an earlier connection arrived after the server had reported its offset: it will report more now.
  if (answer.status === 409) throw service.cut();
  if (!answer.ok) throw await service.refusal(answer);
  await answer.discard();
}
