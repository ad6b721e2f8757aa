import { randomUUID } from "node:crypto";
import type { HttpClient } from "../http-client.ts";

interface Account {
  url: string;
  token: string;
  workspace: string;
}

/** One account that types lines, and sends files with them as `svc` does. Says whether it succeeded. */
export class Member {
  readonly #client: HttpClient;
  readonly #account: Account;

  constructor(client: HttpClient, account: Account) {
    this.#client = client;
    this.#account = account;
  }

  async type(line: string): Promise<boolean> {
    const { status } = await this.#post({ argv: this.#words(line) });
    return status === 200;
  }

  /** `line` names one local file; `replays` repeats the last call, which a server may refuse. */
  async send(line: string, content: Buffer, { replays = 0 } = {}): Promise<boolean> {
    const { status } = await this.sendForAnswer(line, content, { replays });
    return status === 200;
  }

  /** The answer to the last call, or the first refusal. */
  async sendForAnswer(
    line: string,
    content: Buffer,
    { replays = 0 } = {},
  ): Promise<{ status: number; text: string }> {
    const argv = this.#words(line);
    const asked = await this.#post({ argv });
    if (asked.status !== 200) return asked;
    const { uploads, continuation } = JSON.parse(asked.text) as {
      uploads: { href: string }[];
      continuation: string;
    };
    const sent = await this.#client.exchange(`${this.#account.url}${uploads[0]?.href}`, {
      method: "PATCH",
      headers: {
        authorization: `Bearer ${this.#account.token}`,
        "content-type": "application/offset+octet-stream",
        "upload-offset": "0",
      },
      body: content,
    });
    if (sent.status !== 204) return sent;
    const answer = await this.#post({ argv, continuation });
    for (let replay = 0; replay < replays; replay += 1) await this.#post({ argv, continuation });
    return answer;
  }

  #words(line: string): string[] {
    return [...line.split(" "), "--workspace", this.#account.workspace];
  }

  #post(body: object) {
    return this.#client.exchange(`${this.#account.url}/api/v1/cli`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${this.#account.token}`,
        "content-type": "application/json",
        "idempotency-key": randomUUID(),
      },
      body: JSON.stringify({ want: "data", ...body }),
    });
  }
}
