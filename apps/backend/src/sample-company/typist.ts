import { randomUUID } from "node:crypto";
import { parseArgv } from "@svc/command-router/arguments/parse-argv";
import { ProblemError } from "@svc/protocol/problem";
import type { Platform } from "../platform/commands/platform.ts";
import { runCommand } from "../platform/commands/run-command.ts";
import { type Caller, shareOf } from "../platform/identity/caller.ts";
import type { Log } from "../platform/process/log.ts";
import { readTexts } from "../platform/uploads/read-texts.ts";
import { type StagedFile, stagedFolder } from "../platform/uploads/staged-file.ts";
import type { Staging } from "../platform/uploads/staging.ts";

interface TypistParts {
  platform: Platform;
  staging: Staging;
  log: Log;
}

/** A file of a folder to be sent, by its path below the folder. */
export interface SentFile {
  path: string;
  content: Uint8Array;
}

/** A person at a terminal, without the network in between: the same parser, staging, readers and commands. */
export class Typist {
  readonly #parts: TypistParts;
  readonly #caller: Caller;
  readonly #signal = new AbortController().signal;

  constructor(parts: TypistParts, caller: Caller) {
    this.#parts = parts;
    this.#caller = caller;
  }

  async type<Data = unknown>(
    argv: readonly string[],
    uploads?: ReadonlyMap<string, StagedFile>,
  ): Promise<Data> {
    const { platform, log } = this.#parts;
    const parsed = parseArgv(platform.catalog, argv);
    if (parsed.kind === "help") throw new Error(`${argv.join(" ")} asks for help`);
    const { command, arguments: args, workspace } = parsed;
    const { data } = await runCommand(
      platform,
      {
        command,
        arguments: args,
        inSession: false,
        dryRun: false,
        workspace,
      },
      {
        caller: this.#caller,
        requestId: randomUUID(),
        log,
        signal: this.#signal,
        uploads,
      },
    );
    return data as Data;
  }

  /** The same for lines that would be refused the second time: an interrupted seed resumes. */
  async typeOnce(argv: readonly string[]): Promise<void> {
    await this.type(argv).catch(unlessDone);
  }

  async sendFolderOnce(argv: readonly string[], path: string, files: readonly SentFile[]): Promise<void> {
    const call = this.#parts.staging.newCall(this.#caller, new Date());
    try {
      const entries = files.map((file, place) => ({
        names: file.path.split("/"),
        file: call.hold(place, file.path, Buffer.from(file.content)),
      }));
      const folder = stagedFolder(path, entries, []);
      await readTexts(folder, { signal: this.#signal, share: shareOf(this.#caller) }, () => {});
      await this.type(argv, new Map([[path, folder]])).catch(unlessDone);
    } finally {
      await call.finish();
    }
  }

  async sendFile(argv: readonly string[], path: string, content: string): Promise<void> {
    const call = this.#parts.staging.newCall(this.#caller, new Date());
    try {
      await this.type(argv, new Map([[path, call.hold(0, path, Buffer.from(content))]]));
    } finally {
      await call.finish();
    }
  }
}

function unlessDone(error: unknown): void {
  if (!(error instanceof ProblemError) || error.code !== "conflict") throw error;
}
