import { randomUUID } from "node:crypto";
import type { Target } from "./measure-http.ts";

/** A typed line as `svc` sends it from a terminal of normal width. */
export function cliRequest(name: string, line: string, api: { url: string; token: string }): Target {
  return {
    name,
    method: "POST",
    url: `${api.url}/api/v1/cli`,
    headers: {
      authorization: `Bearer ${api.token}`,
      "content-type": "application/json",
      // In reality each call has a new one; reads ignore it.
      "idempotency-key": randomUUID(),
      "user-agent": "svc/0.1.0 (linux-x64)",
    },
    body: JSON.stringify({ argv: line.split(" "), terminal: { columns: 120, interactive: true } }),
  };
}
