import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

type Handler = (request: IncomingMessage & { url: string }, response: ServerResponse, body: Buffer) => void;

/** Gives the answers that a test wants, however large, slow or hostile. */
export class FakeService {
  /** How many callers disconnected before their answer. */
  abandoned = 0;
  requests = 0;
  readonly #server;

  private constructor(handle: Handler) {
    this.#server = createServer(async (request, response) => {
      this.requests += 1;
      response.once("close", () => {
        if (!response.writableFinished) this.abandoned += 1;
      });
      // The test decides whether to read uploads.
      const isUpload = request.method === "PATCH";
      const body = isUpload ? Buffer.alloc(0) : await buffer(request).catch(() => undefined);
      if (body) handle(Object.assign(request, { url: request.url ?? "" }), response, body);
    });
  }

  static async start(handle: Handler): Promise<FakeService> {
    const service = new FakeService(handle);
    service.#server.listen(0, "127.0.0.1");
    await once(service.#server, "listening");
    return service;
  }

  get environment(): Record<string, string> {
    const { port } = this.#server.address() as AddressInfo;
    return { SVC_BASE_URL: `http://127.0.0.1:${port}`, SVC_SA_TOKEN: "secret" };
  }

  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

export const result = { kind: "result", exitCode: 0, committed: false, notices: [] as string[] };
