const revision = "2026-07-28";

/** A message of the newest revision, which stands alone. */
export function agentMessage(method: string, params: Record<string, unknown> = {}) {
  const name = params.name ?? params.uri;
  return {
    headers: {
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
      "mcp-protocol-version": revision,
      "mcp-method": method,
      ...(typeof name === "string" ? { "mcp-name": name } : {}),
    },
    payload: {
      jsonrpc: "2.0",
      id: 1,
      method,
      params: {
        ...params,
        _meta: {
          "io.modelcontextprotocol/protocolVersion": revision,
          "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
          "io.modelcontextprotocol/clientCapabilities": {},
          ...Object(params._meta),
        },
      },
    },
  };
}
