import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import type { CallerContext } from "@svc/protocol/caller";
import type { CliRequest } from "@svc/protocol/exchange";

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

/** A service with scripted answers, for cases the real one cannot produce. */
export class SampleService {
  readonly lines: (CliRequest & { headers: IncomingMessage["headers"] })[] = [];
  context: CallerContext = {
    actor: { id: "usr_1", kind: "human", name: "Rin", email: "rin@example.com" },
    tenant: { id: "ten_1", name: "Kumo" },
    credential: { kind: "service_account_token" },
    workspaces: [
      { id: "ws_1", name: "Sales", slug: "sales", role: "editor" },
      { id: "ws_2", name: "営業", slug: "eigyo", role: "reader" },
    ],
    server: { version: "0.1.0", time: new Date().toISOString(), minimumClient: "0.1.0" },
  };
  onLine: Answer = (response) => response.end(JSON.stringify(result("done")));
  /** For every other address. */
  onFetch: Answer = (response) => response.writeHead(404).end();
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => void this.#answer(request, response));
  }

  static async start(): Promise<SampleService> {
    const service = new SampleService();
    await new Promise<void>((resolve) => service.#server.listen(0, "127.0.0.1", resolve));
    return service;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeader("content-type", "application/json");
    if (request.url === "/api/v1/context") return void response.end(JSON.stringify(this.context));
    if (request.url !== "/api/v1/cli") return this.onFetch(response, request);
    this.lines.push({ ...((await json(request)) as CliRequest), headers: request.headers });
    this.onLine(response, request);
  }
}

export function result(text: string, more: Record<string, unknown> = {}) {
  return { kind: "result", exitCode: 0, text, committed: false, notices: [], ...more };
}
