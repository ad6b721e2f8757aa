import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { headers } from "@svc/protocol/headers";
import type { Next } from "@svc/protocol/next";
import type { PersonKey } from "@svc/sample-company/company";
import { createTestDatabase } from "@svc/testing/test-database";
import { startApi } from "../../bench/processes/api-process.ts";
import { createScratchFolder } from "../../bench/scratch-folder.ts";
import { withClient } from "../../bench/with-client.ts";
import { mcpRequest } from "../mcp-request.ts";

/** What an agent holds: a token, and the ticket of a session if it has one. */
export interface Credential {
  token: string;
  ticket?: string;
}

export interface Answer {
  status: number;
  body: {
    kind?: string;
    text?: string;
    data?: unknown;
    committed?: boolean;
    code?: string;
    detail?: string;
    hint?: string;
    operation?: string;
    preview?: { token: string; changes: unknown[] };
    next?: Next;
  };
}

export interface ToolResult {
  isError?: boolean;
  content: { text: string }[];
  structuredContent: Record<string, unknown> & Answer["body"];
}

export interface ToolReply {
  result?: ToolResult;
  error?: { message: string; data?: { next?: Next } };
}

/** The sample company with its people, and the service as it is deployed. */
export class SampleOffice {
  readonly url: string;
  readonly adminUrl: string;
  readonly #folder: string;

  private constructor(url: string, adminUrl: string, folder: string) {
    this.url = url;
    this.adminUrl = adminUrl;
    this.#folder = folder;
  }

  /** With everything in it, or only its people and their workspaces, which takes a second. */
  static async with<Result>(
    work: (office: SampleOffice) => Promise<Result>,
    { isEmpty = false } = {},
  ): Promise<Result> {
    await using scratch = await createScratchFolder();
    const database = await createTestDatabase();
    try {
      fill(database, scratch.path, isEmpty);
      await using api = await startApi({ databaseUrl: database.appUrl, folder: scratch.path });
      return await work(new SampleOffice(api.url, database.adminUrl, scratch.path));
    } finally {
      await database.drop();
    }
  }

  /** An administrator, also of an empty office. */
  get developer(): Credential {
    return { token: readFileSync(join(this.#folder, "developer.token"), "utf8") };
  }

  /** Nobody has a token in an empty office. */
  person(who: PersonKey): Credential {
    return { token: readFileSync(join(this.#folder, "people", `${who}.token`), "utf8") };
  }

  /** A line, as `svc` sends it. */
  async type({ token, ticket }: Credential, argv: readonly string[], want: "text" | "data" = "data") {
    const answer = await fetch(`${this.url}/api/v1/cli`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        "idempotency-key": randomUUID(),
        ...(ticket === undefined ? {} : { [headers.sessionTicket]: ticket }),
      },
      body: JSON.stringify({ argv, want }),
    });
    return { status: answer.status, body: await answer.json() } as Answer;
  }

  /** A line that has to work. */
  async run(who: Credential, line: string, ...more: string[]): Promise<Record<string, unknown>> {
    const { status, body } = await this.type(who, [...line.split(" "), ...more]);
    if (status !== 200) throw new Error(`${line}: ${status} ${body.detail}`);
    return Object(body.data) as Record<string, unknown>;
  }

  async put(who: Credential, path: string, workspace: string, content: string): Promise<void> {
    const local = "./sent";
    const argv = ["files", "put", local, path, "--workspace", workspace];
    const asked = (await this.type(who, argv)) as Answer & { body: { continuation?: string } };
    const contents = [{ path: local, base64: Buffer.from(content).toString("base64") }];
    const answer = await fetch(`${this.url}/api/v1/cli`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${who.token}`,
        "content-type": "application/json",
        "idempotency-key": randomUUID(),
      },
      body: JSON.stringify({ argv, continuation: asked.body.continuation, contents }),
    });
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
  }

  /** JSON to an address, as a program sends it. */
  async post({ token, ticket }: Credential, path: string, body: unknown): Promise<Answer> {
    const answer = await fetch(`${this.url}${path}`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        ...(ticket === undefined ? {} : { [headers.sessionTicket]: ticket }),
      },
      body: JSON.stringify(body),
    });
    return { status: answer.status, body: await answer.json() } as Answer;
  }

  async tool(who: Credential, name: string, given: unknown): Promise<ToolResult> {
    const { result, error } = await this.ask(who, name, given);
    if (!result) throw new Error(`${name}: ${error?.message}`);
    return result;
  }

  /** The same, for tools that perhaps do not exist. */
  async ask({ token, ticket }: Credential, name: string, given: unknown): Promise<ToolReply> {
    const { url, body, ...request } = mcpRequest(
      "tools/call",
      { name, arguments: given },
      { url: this.url, token },
    );
    const sent = { ...request.headers, ...(ticket === undefined ? {} : { [headers.sessionTicket]: ticket }) };
    const answer = await fetch(url, { method: "POST", headers: sent, body: body ?? "" });
    return (await answer.json()) as ToolReply;
  }

  /** Rows of the database itself, for what no answer would admit. */
  rows(statement: string): Promise<Record<string, unknown>[]> {
    return withClient(this.adminUrl, async (client) => (await client.query(statement)).rows);
  }
}

function fill(
  { adminUrl, appUrl }: { adminUrl: string; appUrl: string },
  folder: string,
  isEmpty: boolean,
): void {
  execFileSync(process.execPath, ["apps/backend/src/entrypoints/seed.ts"], {
    stdio: ["ignore", "ignore", "inherit"],
    env: {
      ...process.env,
      SVC_ADMIN_DATABASE_URL: adminUrl,
      // Without it there are people and workspaces, and nothing in them.
      SVC_DATABASE_URL: isEmpty ? undefined : appUrl,
      SVC_BLOB_FOLDER: join(folder, "blobs"),
      SVC_TOKEN_FILE: join(folder, "developer.token"),
    },
  });
}
