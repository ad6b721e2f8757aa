import { randomUUID } from "node:crypto";
import type { Target } from "./measure-http.ts";

/** A typed line as `svc` sends it from a terminal of usual width. */
export function cliRequest(name: string, line: string, api: { url: string; token: string }): Target {
  return {
    name,
    method: "POST",
    url: `${api.url}/api/v1/cli`,
    headers: {
      authorization: `Bearer ${api.token}`,
      "content-type": "application/json",
      // A new one each time in reality; reads do not look at it.
      "idempotency-key": randomUUID(),
      "user-agent": "svc/0.1.0 (linux-x64)",
    },
    body: JSON.stringify({ argv: line.split(" "), terminal: { columns: 120, interactive: true } }),
  };
}
