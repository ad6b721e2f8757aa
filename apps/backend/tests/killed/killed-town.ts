import { createHash } from "node:crypto";
import type { ApiProcess } from "../../testing/processes/api-process.ts";
import { cutHeader } from "../../testing/processes/cut-header.ts";
import { HttpCaller } from "../../testing/processes/http-caller.ts";

/** Everything that callers see of a workspace: a file by the content of each version, newest first. */
export interface Visible {
  folders: string[];
  files: Record<string, { text: string; versions: string[] }>;
  trash: string[];
}

export interface Line {
  argv: string[];
  /** Content of the local file that it names. */
  content?: string;
}

interface Sent {
  isReplayed: boolean;
}

/** A separate workspace in an API process that may die at any time. */
export class KilledTown {
  readonly #api: ApiProcess;
  readonly #caller: HttpCaller;
  readonly slug: string;

  private constructor(api: ApiProcess, caller: HttpCaller, slug: string) {
    this.#api = api;
    this.#caller = caller;
    this.slug = slug;
  }

  static async build(api: ApiProcess, token: string, name: string): Promise<KilledTown> {
    const caller = new HttpCaller(api.address, token);
    const { body } = await caller.post({ argv: ["workspaces", "create", name] });
    return new KilledTown(api, caller, (body.data as { slug: string }).slug);
  }

  async run<Data>(line: string): Promise<Data> {
    const { status, body } = await this.#caller.post({ argv: this.#words(line.split(" ")) });
    if (status !== 200) throw new Error(`${line}: ${status} ${JSON.stringify(body)}`);
    return body.data as Data;
  }

  async put(path: string, content: string): Promise<void> {
    const { status, body } = await this.#caller.send(
      this.#words(["files", "put", "./local.txt", path]),
      content,
    );
    if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
  }

  /** One call that is retried with one key until it is acknowledged. */
  call({ argv, content }: Line): KilledCall {
    return new KilledCall(this.#api, this.#caller, this.#words(argv), content);
  }

  async look(): Promise<Visible> {
    const { nodes } = await this.run<{ nodes: { path: string; kind: string }[] }>("files tree / --depth 50");
    const { items } = await this.run<{ items: { name: string }[] }>("trash list");
    const files: Visible["files"] = {};
    for (const { path, kind } of nodes) if (kind === "file") files[path] = await this.#lookAt(path);
    const folders = nodes.filter(({ kind }) => kind === "folder").map(({ path }) => path);
    return { folders: folders.sort(), files, trash: items.map(({ name }) => name).sort() };
  }

  async #lookAt(path: string): Promise<{ text: string; versions: string[] }> {
    const { text } = await this.run<{ text: string }>(`files cat ${path}`);
    const { sha256, contentVersion } = await this.run<{ sha256: string; contentVersion: number }>(
      `files stat ${path}`,
    );
    const { items } = await this.run<{ items: { version: number; sha256: string }[] }>(
      `files versions ${path}`,
    );
    if (items[0]?.version !== contentVersion || items[0].sha256 !== sha256) {
      throw new Error(`${path} is not its own latest version`);
    }
    const versions: string[] = [];
    for (const { version, sha256: expected } of items) {
      const content = await this.#download(path, version);
      if (digest(content) !== expected) throw new Error(`${path}: version ${version} is different content`);
      versions.push(content);
    }
    return { text, versions };
  }

  async #download(path: string, version: number): Promise<string> {
    const argv = this.#words(["files", "get", path, "--version", String(version)]);
    const { body } = await this.#caller.post({ argv });
    const answer = await this.#caller.fetch(body.href);
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer.text();
  }

  #words(argv: string[]): string[] {
    return [...argv, "--workspace", this.slug];
  }
}

class KilledCall {
  readonly #api: ApiProcess;
  readonly #caller: HttpCaller;
  readonly #argv: string[];
  readonly #content: Buffer | undefined;
  readonly #key = crypto.randomUUID();
  #upload: { href: string; continuation: string } | undefined;
  /** When the answer was written, by the answer. */
  cutsLeft = Number.NaN;

  constructor(api: ApiProcess, caller: HttpCaller, argv: string[], content: string | undefined) {
    this.#api = api;
    this.#caller = caller;
    this.#argv = argv;
    this.#content = content === undefined ? undefined : Buffer.from(content);
  }

  /** Undefined if the process died before it acknowledged the call. */
  async sendOnce(cut?: number): Promise<Sent | undefined> {
    const armed: Record<string, string> = cut === undefined ? {} : { [cutHeader]: String(cut) };
    try {
      const sent = await (this.#content === undefined
        ? this.#post(armed)
        : this.#sendContent(this.#content, armed));
      // It may still die in work after its answer, but then not because of the next request.
      await this.#caller.fetch("/healthz", { headers: { [cutHeader]: "0" } }).catch(() => {});
      return sent;
    } catch (error) {
      if (await this.#api.isDead()) return undefined;
      throw error;
    }
  }

  async #sendContent(content: Buffer, armed: Record<string, string>): Promise<Sent> {
    this.#upload ??= await this.#caller.askToSend(this.#argv);
    const { href, continuation } = this.#upload;
    const { status, headers } = await this.#caller.fetch(href, { method: "HEAD" });
    // The call had ended when it was killed: its answer is stored, its files are gone.
    if (status === 409) return this.#post(armed, continuation);
    const offset = Number(headers.get("upload-offset"));
    // Sends an empty piece too, so that the step counter sees it.
    const piece = await this.#caller.patch(href, offset, content.subarray(offset), { headers: armed });
    if (piece.status !== 204) throw new Error(`upload: ${piece.status} ${await piece.text()}`);
    return this.#post({}, continuation);
  }

  async #post(armed: Record<string, string>, continuation?: string): Promise<Sent> {
    const answer = await this.#caller.fetch("/api/v1/cli", {
      method: "POST",
      headers: { "content-type": "application/json", "idempotency-key": this.#key, ...armed },
      body: JSON.stringify({ argv: this.#argv, want: "data", ...(continuation ? { continuation } : {}) }),
    });
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(`${this.#argv}: ${answer.status} ${text}`);
    this.cutsLeft = Number(answer.headers.get(cutHeader) ?? Number.NaN);
    return { isReplayed: answer.headers.get("idempotency-replayed") === "true" };
  }
}

function digest(content: string): string {
  return createHash("sha256").update(content).digest("hex");
}
