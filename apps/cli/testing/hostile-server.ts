import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { packHead } from "@svc/protocol/pack";
import { parsedJson } from "@svc/protocol/shape";

interface Received {
  method: string;
  url: string;
  body: Buffer;
  headers: IncomingMessage["headers"];
}

export interface PackEntry {
  sha256: string;
  size: number;
  content: Buffer;
}

/** As an honest server sends them. */
export function packOf(entries: readonly PackEntry[]): Buffer {
  return Buffer.concat(entries.flatMap((entry) => [Buffer.from(packHead(entry)), entry.content]));
}

/** A server that may be hostile: it answers each request as the test says, and records its requests. */
export class HostileServer {
  readonly received: Received[] = [];
  readonly #server = createServer((request, response) => void this.#serve(request, response));
  readonly #answers: ((url: string) => unknown)[] = [];
  baseUrl = "";

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    this.baseUrl = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  /** Answers to the next typed lines, one each. */
  willAnswer(...bodies: unknown[]): void {
    this.#answers.push(...bodies.map((body) => () => body));
  }

  forgetAnswers(): void {
    this.#answers.length = 0;
    this.#hasAskedForAll = false;
  }

  onManifest = () => {};
  /** After a manifest it wants everything, and more than was announced. */
  #hasAskedForAll = false;

  files = new Map<string, string>();
  /** Contents of files in folders, by their digests. */
  contents = new Map<string, Buffer>();
  /** Further pages of a folder's list, by where they begin. */
  pages = new Map<string, unknown>();
  /** How it answers when it is asked for a pack, with what was asked for. */
  sendPack = (entries: readonly PackEntry[], response: ServerResponse): void => {
    response.end(packOf(entries));
  };
  /** Addresses of downloads that have expired. */
  expired = new Set<string>();
  /** The offset that it reports to everyone. */
  offsets: number[] = [];
  refusePatchAt: number[] = [];

  /** Where it redirects every request with this method. */
  redirect: { method: string; status: number; location: string } | undefined;
  takesRanges = false;
  /** Where a download is cut, in bytes from its start. */
  cutAt: number | undefined;

  #serveFolder(
    method: string,
    url: string,
    body: Buffer,
    range: string | undefined,
    response: ServerResponse,
  ): void {
    const wanted =
      method === "POST"
        ? (JSON.parse(String(body)) as { files: { sha256: string }[] }).files
        : [{ sha256: url.split("/").at(-1) ?? "" }];
    const entries = wanted.map(({ sha256 }) => {
      const content = this.contents.get(sha256) ?? Buffer.alloc(0);
      return { sha256, size: content.length, content };
    });
    if (method === "POST") this.sendPack(entries, response);
    else this.#serveFile(entries[0]?.content ?? Buffer.alloc(0), range, response);
  }

  #serveFile(file: string | Buffer, range: string | undefined, response: ServerResponse): void {
    const begin = this.takesRanges ? Number(/\d+/.exec(range ?? "")?.[0] ?? 0) : 0;
    const rest = Buffer.from(file).subarray(begin);
    response.writeHead(begin > 0 ? 206 : 200, { "content-length": rest.length });
    if (this.cutAt === undefined) return void response.end(rest);
    response.write(rest.subarray(0, Math.max(0, this.cutAt - begin)), () => response.destroy());
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "", url = "", headers } = request;
    const body = await buffer(request);
    this.received.push({ method, url, headers, body });
    if (this.redirect?.method === method) {
      const { status, location } = this.redirect;
      return void response.writeHead(status, { location }).end();
    }
    if (method === "HEAD") {
      return void response.writeHead(204, { "upload-offset": this.offsets.shift() ?? 0 }).end();
    }
    if (method === "PATCH") {
      const isRefused = this.refusePatchAt.includes(Number(headers["upload-offset"]));
      return void response.writeHead(isRefused ? 409 : 204).end();
    }
    if (this.expired.has(url)) return void response.writeHead(410).end();
    if (url.endsWith("/manifest")) {
      this.onManifest();
      return void response.end(JSON.stringify({ id: "announced" }));
    }
    if (/\/(pack|digests)$/.test(url)) return void response.writeHead(204).end();
    const repeated =
      method === "POST" ? (parsedJson(String(this.received.at(-1)?.body)) as Repeated) : undefined;
    if (repeated?.manifests && !this.#hasAskedForAll) {
      this.#hasAskedForAll = true;
      return void response.end(JSON.stringify(askForAll(repeated.manifests[0]?.path ?? "")));
    }
    if (url.startsWith("/folder") && url.endsWith("/list")) {
      const { after } = JSON.parse(String(body)) as { after: string };
      return void response.end(JSON.stringify(this.pages.get(after)));
    }
    if (url.startsWith("/folder")) return this.#serveFolder(method, url, body, headers.range, response);
    const file = this.files.get(url);
    if (file !== undefined) return this.#serveFile(file, headers.range, response);
    response.end(JSON.stringify(this.#answers.shift()?.(url)));
  }
}

interface Repeated {
  manifests?: { path: string }[];
}

function askForAll(path: string) {
  const upload = { argument: "source", path, href: "/u/1", maxBytes: 1e9, acceptsFolder: true };
  return {
    kind: "upload",
    uploads: [{ ...upload, goesWithLine: true, wants: "contents", entries: [{ first: 0, last: 1e9 }] }],
    continuation: "go on",
  };
}
