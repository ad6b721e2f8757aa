import { execFileSync } from "node:child_process";
import { createReadStream, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { Certificates } from "./certificates.ts";

const tool = join(import.meta.dirname, "../../../tools/release.ts");

/** A release folder as the real tools make it, on https with a certificate of its private CA. */
export class ReleaseServer {
  readonly folder: string;
  /** The path of the certificate that a client has to trust. */
  readonly authority: string;
  readonly constants: { releases: { url: string; rootKeys: string[] } };
  /** Answers instead of the folder if it returns true. */
  instead: ((path: string, response: ServerResponse) => boolean) | undefined;
  readonly #home: string;
  readonly #server: Server;

  private constructor(home: string, server: Server, authority: string) {
    this.#home = home;
    this.#server = server;
    this.authority = authority;
    this.folder = join(home, "release");
    const { port } = server.address() as AddressInfo;
    for (const name of ["root-1", "root-2"]) this.tool("keys", "new-root", this.at(name));
    this.tool("keys", "new-signing", this.at("signing"));
    const rootKeys = ["root-1", "root-2"].map((name) => readFileSync(this.at(`${name}.pub`), "utf8").trim());
    this.constants = { releases: { url: `https://localhost:${port}/`, rootKeys } };
    writeFileSync(this.at("constants.json"), JSON.stringify(this.constants));
    this.signKeys();
  }

  static async start(): Promise<ReleaseServer> {
    const home = await mkdtemp(join(tmpdir(), "svc-releases-"));
    mkdirSync(join(home, "release"));
    const certificates = await Certificates.make(home);
    const server = createServer(await certificates.issued("server", "DNS:localhost,IP:127.0.0.1"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const releases = new ReleaseServer(home, server, certificates.authority);
    server.on("request", (request, response) => {
      void releases.#answer(request.url ?? "/", response).catch(() => response.destroy());
    });
    return releases;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
    await rm(this.#home, { recursive: true, force: true });
  }

  at(name: string): string {
    return join(this.#home, name);
  }

  tool(...words: string[]): string {
    return execFileSync(process.execPath, [tool, ...words], { encoding: "utf8", stdio: "pipe" });
  }

  signKeys(options: { root?: string; signing?: string; days?: string } = {}): void {
    const { root = "root-1", signing = "signing", days = "365" } = options;
    const keys = ["--root", this.at(root), "--signing", this.at(`${signing}.pub`)];
    this.tool("keys", "sign", this.folder, ...keys, `--days=${days}`);
  }

  /** Signs the contents of the artifact folder as the release. */
  publish(version: string, artifacts: string, options: Record<string, string> = {}): void {
    const words = { artifacts, version, "min-safe": "1.0.0", key: this.at("signing"), ...options };
    const flags = Object.entries(words).map(([name, value]) => `--${name}=${value}`);
    this.tool("sign", this.folder, ...flags, "--constants-file", this.at("constants.json"));
  }

  async #answer(path: string, response: ServerResponse): Promise<void> {
    if (this.instead?.(path, response)) return;
    const file = join(this.folder, path);
    if (!existsSync(file) || !statSync(file).isFile()) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { "content-length": statSync(file).size });
    await pipeline(createReadStream(file, { highWaterMark: 1_024 * 1_024 }), response);
  }
}
