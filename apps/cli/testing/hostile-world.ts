import { createHash } from "node:crypto";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { runSvc } from "../src/run-svc.ts";
import { HostileServer } from "./hostile-server.ts";
import { TestTerminal } from "./test-terminal.ts";

interface RunOptions {
  input?: string;
  /** What the person types when asked; without it nobody can be asked. */
  answer?: string;
  environment?: Record<string, string>;
}

/** A person's machine, with the client in a folder of their home, and a server that they should not have trusted. */
export class HostileWorld {
  readonly server: HostileServer;
  readonly folder: string;
  readonly home: string;
  /** The current folder, in the home folder. */
  readonly here: string;
  readonly #before = process.cwd();

  private constructor(server: HostileServer, folder: string) {
    this.server = server;
    this.folder = folder;
    this.home = join(folder, "home");
    this.here = join(this.home, "work");
  }

  static async open(): Promise<HostileWorld> {
    const server = new HostileServer();
    await server.start();
    const world = new HostileWorld(server, await realpath(await mkdtemp(join(tmpdir(), "svc-hostile-"))));
    await mkdir(world.here, { recursive: true });
    process.chdir(world.here);
    return world;
  }

  async close(): Promise<void> {
    process.chdir(this.#before);
    this.server.stop();
    await rm(this.folder, { recursive: true });
  }

  get environment(): Record<string, string> {
    return { HOME: this.home, SVC_BASE_URL: this.server.baseUrl, SVC_SA_TOKEN: "secret" };
  }

  async write(path: string, content: string): Promise<string> {
    const place = join(this.folder, path);
    await mkdir(dirname(place), { recursive: true });
    await writeFile(place, content);
    return place;
  }

  async svc(typed: readonly string[], { input, answer, environment: more = {} }: RunOptions = {}) {
    const terminal = new TestTerminal({
      input,
      answer,
    });
    const { signal } = new AbortController();
    const environment = { ...this.environment, ...more };
    const exitCode = await runSvc({ typed, environment, terminal, signal });
    return { exitCode, out: terminal.printed.toString(), error: terminal.remarks };
  }

  /** The server answers the next line with a request for one of its words, and accepts everything. */
  async askedFor(word: string, typed: readonly string[], options: RunOptions = {}) {
    const before = this.server.received.length;
    this.server.willAnswer(askFor(word), done);
    const printed = await this.svc(typed, options);
    this.server.forgetAnswers();
    const more = this.server.received.slice(before + 1);
    return { ...printed, requests: more.length, sent: more.map(contentsOf).join("") };
  }
}

/** As a server describes a file that it offers under its address. */
export function offer(server: HostileServer, content: string, more: object = {}) {
  const href = `/d/${sha256(content)}`;
  server.files.set(href, content);
  return {
    kind: "file",
    name: "report.txt",
    size: Buffer.byteLength(content),
    sha256: sha256(content),
    mediaType: "text/plain",
    href,
    ...more,
  };
}

/** The same of a folder, with the same content for each of its files, or one each. */
export function offerFolder(
  server: HostileServer,
  name: string,
  paths: readonly string[],
  content: string | ((path: string) => string | Buffer) = "PLANTED",
) {
  const files = paths.map((path, index) => {
    const bytes = Buffer.from(typeof content === "string" ? content : content(path));
    const digest = sha256(bytes);
    server.contents.set(digest, bytes);
    return {
      path,
      id: `file_${index}`,
      version: 1,
      size: bytes.length,
      sha256: digest,
      mediaType: "text/plain",
    };
  });
  const total = { files: files.length, bytes: files.reduce((sum, { size }) => sum + size, 0) };
  return { kind: "folder", name, id: "fold_1", total, folders: [] as string[], files, href: "/folder" };
}

export const done = { kind: "result", exitCode: 0, text: "Done", committed: true, notices: [] };

export function askFor(path: string, acceptsFolder = true) {
  return {
    kind: "upload",
    uploads: [
      {
        argument: "source",
        path,
        href: "/u/1",
        maxBytes: 1_000_000,
        acceptsFolder,
        goesWithLine: true,
        wants: acceptsFolder ? "manifest" : "file",
      },
    ],
    continuation: "go on",
  };
}

export function sha256(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

/** What a request carries of the machine: the files in a line, or the piece of an upload. */
function contentsOf({ method, url, body }: { method: string; url: string; body: Buffer }): string {
  if (method !== "POST" || url.startsWith("/u/")) return body.toString("latin1");
  const { contents = [] } = JSON.parse(String(body)) as { contents?: { base64: string }[] };
  return contents.map(({ base64 }) => Buffer.from(base64, "base64").toString("latin1")).join("");
}
