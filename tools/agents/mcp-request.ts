import type { Target } from "../bench/measure-http.ts";

const revision = "2026-07-28";

/** A message to POST /mcp as clients of the newest revision send it. */
export function mcpRequest(
  method: string,
  params: Record<string, unknown>,
  api: { url: string; token: string },
): Target {
  const { name } = params;
  return {
    name: `svc: POST /mcp, ${method}`,
    method: "POST",
    url: `${api.url}/mcp`,
    headers: {
      authorization: `Bearer ${api.token}`,
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
      "mcp-protocol-version": revision,
      "mcp-method": method,
      ...(typeof name === "string" ? { "mcp-name": name } : {}),
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method,
      params: {
        ...params,
        _meta: {
          "io.modelcontextprotocol/protocolVersion": revision,
          "io.modelcontextprotocol/clientInfo": { name: "svc tools", version: "1" },
          "io.modelcontextprotocol/clientCapabilities": {},
        },
      },
    }),
  };
}
