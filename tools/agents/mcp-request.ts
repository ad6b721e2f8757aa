import { agentMessage } from "@svc/testing/agent-message";
import type { Target } from "../bench/measure-http.ts";

/** A message to POST /mcp as clients of the newest revision send it. */
export function mcpRequest(
  method: string,
  params: Record<string, unknown>,
  api: { url: string; token: string },
): Target {
  const { headers, payload } = agentMessage(method, params);
  return {
    name: `svc: POST /mcp, ${method}`,
    method: "POST",
    url: `${api.url}/mcp`,
    headers: { ...headers, authorization: `Bearer ${api.token}` },
    body: JSON.stringify(payload),
  };
}
