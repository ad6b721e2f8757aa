import { createHash } from "node:crypto";
import type { CliRequest, FileAnswer, ResultAnswer, UploadAnswer } from "@svc/protocol/exchange";
import type { Problem } from "@svc/protocol/problem";
import { sendTree } from "@svc/testing/send-tree";

type Body = NonNullable<RequestInit["body"]>;

/** Any of the answers: a test knows which one it expects. */
type AnyAnswer = Omit<ResultAnswer & Problem, "kind"> &
  Omit<FileAnswer, "kind"> &
  Omit<UploadAnswer, "kind"> & { kind: string };

interface HttpReply {
  status: number;
  body: AnyAnswer;
}

/** A client over real connections, for what `inject` cannot show: streams, cuts, aborts. */
export class HttpCaller {
  readonly #address: string;
  readonly token: string;

  constructor(address: string, token: string) {
    this.#address = address;
    this.token = token;
  }

  fetch(href: string, { headers, ...options }: RequestInit = {}): Promise<Response> {
    const authorization = `Bearer ${this.token}`;
    return fetch(new URL(href, this.#address), { ...options, headers: { authorization, ...headers } });
  }

  async post(request: CliRequest, headers: Record<string, string> = {}): Promise<HttpReply> {
    const answer = await this.fetch("/api/v1/cli", {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify({ want: "data", ...request }),
    });
    return { status: answer.status, body: (await answer.json()) as AnyAnswer };
  }

  /** Types a line that names one local file, and returns where to send it. */
  async askToSend(argv: string[]): Promise<{ href: string; maxBytes: number; continuation: string }> {
    const { body } = await this.post({ argv });
    const [upload] = body.uploads ?? [];
    if (!upload) throw new Error(`no upload: ${JSON.stringify(body)}`);
    return { href: upload.href, maxBytes: upload.maxBytes, continuation: body.continuation };
  }

  patch(
    href: string,
    offset: number | string,
    body: Body,
    options: { headers?: Record<string, string>; signal?: AbortSignal } = {},
  ): Promise<Response> {
    return this.fetch(href, {
      method: "PATCH",
      headers: {
        "content-type": "application/offset+octet-stream",
        "upload-offset": String(offset),
        ...options.headers,
      },
      body,
      duplex: "half",
      ...(options.signal ? { signal: options.signal } : {}),
    });
  }

  async offsetOf(href: string): Promise<number> {
    const answer = await this.fetch(href, { method: "HEAD" });
    return Number(answer.headers.get("upload-offset"));
  }

  /** The whole exchange for one file, like a client. */
  async send(argv: string[], content: Body): Promise<HttpReply> {
    const { href, continuation } = await this.askToSend(argv);
    const answer = await this.patch(href, 0, content);
    if (answer.status !== 204) throw new Error(await answer.text());
    return this.post({ argv, continuation });
  }

  /** The same for a folder. */
  sendFolder(
    argv: string[],
    files: Record<string, string>,
    type: (request: Partial<CliRequest>) => Promise<HttpReply> = (more) => this.post({ argv, ...more }),
  ): Promise<HttpReply> {
    return sendTree(files, {
      type,
      post: async (href, body, mediaType) => {
        const answer = await this.fetch(href, {
          method: "POST",
          headers: { "content-type": mediaType },
          body: body as Body,
        });
        if (!answer.ok) throw new Error(await answer.text());
        return answer.text();
      },
    });
  }
}

export function reprDigest(content: string | Uint8Array): string {
  return `sha-256=:${createHash("sha256").update(content).digest("base64")}:`;
}
