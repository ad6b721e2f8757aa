import { agentMessage } from "@svc/testing/agent-message";
import type { LightMyRequestResponse } from "fastify";
import { credentialHeaders, type TestBackend } from "../test-backend.ts";

interface ToolResult {
  isError?: boolean;
  content: { type: string; text: string }[];
  structuredContent: Record<string, unknown> & {
    code?: string;
    operation?: string;
    preview?: { token: string; changes: unknown[] };
  };
}

/** Calls POST /mcp. */
export class AgentClient {
  readonly #backend: TestBackend;
  readonly #headers: Record<string, string>;

  constructor(backend: TestBackend, token: string, headers: Record<string, string> = {}) {
    this.#backend = backend;
    this.#headers = { ...credentialHeaders(token), ...headers };
  }

  post(method: string, params?: Record<string, unknown>): Promise<LightMyRequestResponse> {
    const { headers, payload } = agentMessage(method, params);
    return this.#backend.server.inject({
      method: "POST",
      url: "/mcp",
      headers: { ...headers, ...this.#headers },
      payload,
    });
  }

  async ask<Result>(method: string, params?: Record<string, unknown>): Promise<Result> {
    const answer = await this.post(method, params);
    const { result, error } = answer.json() as { result?: Result; error?: { message: string } };
    if (result === undefined) throw new Error(`${method}: ${answer.statusCode} ${error?.message}`);
    return result;
  }

  call(name: string, given: Record<string, unknown> = {}): Promise<ToolResult> {
    return this.ask("tools/call", { name, arguments: given });
  }
}
