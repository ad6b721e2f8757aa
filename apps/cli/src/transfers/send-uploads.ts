import { readFile, stat } from "node:fs/promises";
import { basename } from "node:path";
import type { Readable } from "node:stream";
import { Failure } from "@svc/machine/failure";
import { fileFormOf } from "@svc/machine/files/file-form";
import { LeftBehind } from "@svc/machine/files/left-behind";
import { NamedWord } from "@svc/machine/files/named-word";
import { OwnFiles } from "@svc/machine/files/own-files";
import { NetworkFailure } from "@svc/machine/network/network-failure";
import { type CliRequest, smallFileBytes, smallFilesAtOnce, type UploadAnswer } from "@svc/protocol/exchange";
import { localPath } from "@svc/protocol/local-path";
import { readableBytes } from "@svc/rendering/readable-bytes";
import { toTerminalLine } from "@svc/rendering/terminal-text";
import { LocalTree } from "@svc/transfers/local-tree";
import { sendStream } from "@svc/transfers/send-stream";
import { sendContents, sendDigests, sendManifest } from "@svc/transfers/send-tree";
import type { Invocation } from "../invocation.ts";
import type { Service } from "../network/service.ts";
import type { ProgressLine } from "../progress-line.ts";
import { connect } from "./connect.ts";
import { kept, keptIfInterrupted } from "./kept.ts";
import { requireOffered } from "./require-offered.ts";

type Upload = UploadAnswer["uploads"][number];

/** Something to send. */
interface Source {
  label: string;
  /** A stream that cannot be read a second time. */
  input?: Readable;
  /** A file of this machine. */
  file?: { path: string; size: number };
  announce?(): Promise<LocalTree>;
  /** Remarks to print once it is announced. */
  remarks?(): string[];
}

interface Announced {
  tree: LocalTree;
  id: string;
}

/**
 * Sends what the server asks for, but only what the line offers by the form of its words: a hostile server gets
 * nothing else.
 */
export class Sending {
  readonly #service: Service;
  readonly #argv: readonly string[];
  readonly #invocation: Pick<Invocation, "terminal" | "environment">;
  readonly #progress: ProgressLine;
  readonly #sources = new Map<string, Source>();
  readonly #announced = new Map<string, Announced>();

  constructor(
    service: Service,
    argv: readonly string[],
    invocation: Pick<Invocation, "terminal" | "environment">,
    progress: ProgressLine,
  ) {
    this.#service = service;
    this.#argv = argv;
    this.#invocation = invocation;
    this.#progress = progress;
  }

  /** Returns what goes with the line when it is repeated. */
  async send({ uploads }: UploadAnswer): Promise<Pick<CliRequest, "manifests" | "contents">> {
    // Everything is checked before anything is sent.
    for (const upload of uploads) {
      if (this.#sources.has(upload.path)) continue;
      const person = { ...this.#invocation, progress: this.#progress };
      this.#sources.set(upload.path, await offeredSource(this.#service, this.#argv, upload, person));
    }
    const contents: { path: string; base64: string }[] = [];
    for (const upload of uploads) {
      const { path, goesWithLine } = upload;
      const source = this.#sources.get(path) as Source;
      const { file } = source;
      // A small file goes with the line: one request instead of three.
      const isSmall = file !== undefined && file.size <= smallFileBytes && contents.length < smallFilesAtOnce;
      if (isSmall && goesWithLine) contents.push({ path, base64: await readFile(file.path, "base64") });
      else await this.#sendOne(upload, source);
    }
    const manifests = [...this.#announced].map(([path, { id }]) => ({ path, id }));
    return {
      ...(manifests.length > 0 ? { manifests } : {}),
      ...(contents.length > 0 ? { contents } : {}),
    };
  }

  async #sendOne(upload: Upload, source: Source): Promise<void> {
    const { wants, path } = upload;
    const progress = this.#progress;
    const sender = { service: connect(this.#service, progress), progress, label: source.label };
    if (wants === "file" || !source.announce) return sendStream(sender, upload.href, source);
    if (wants === "manifest") {
      const tree = await source.announce();
      this.#announced.set(path, { tree, id: await sendManifest(sender, upload, tree) });
      await this.#remark(source);
      return;
    }
    const announced = this.#announced.get(path);
    if (!announced) throw new Failure("internal", "The server asked for entries that were not announced.");
    const { id, tree } = announced;
    if (wants === "digests") return sendDigests(sender, upload, id, tree);
    await sendContents(sender, upload, id, tree).catch((error: unknown) => {
      throw error instanceof NetworkFailure ? kept(error) : keptIfInterrupted(error);
    });
  }

  async #remark({ remarks }: Source): Promise<void> {
    for (const remark of remarks?.() ?? []) {
      await this.#progress.clear();
      await this.#invocation.terminal.error(`note: ${toTerminalLine(remark)}\n`);
    }
  }
}

async function offeredSource(
  service: Service,
  argv: readonly string[],
  { path: name, acceptsFolder, maxBytes }: Upload,
  person: Pick<Invocation, "terminal" | "environment"> & { progress: ProgressLine },
): Promise<Source> {
  const word = NamedWord.find(argv, name);
  if (!word) {
    throw new Failure(
      "internal",
      `The server asked for \`${name}\`, which you did not name. Nothing was sent.`,
    );
  }
  const { terminal, environment } = person;
  const form = await fileFormOf(name, environment);
  if (form === "input") return { label: "standard input", input: terminal.input };
  const path = localPath(name);
  const look = () =>
    stat(path, { bigint: true }).catch((error: unknown) => {
      throw new Failure("notFound", `\`${name}\` cannot be read.`, {
        hint: reason(error),
        cause: error,
      });
    });
  const describe = async () => {
    const found = await look();
    return found.isDirectory() ? "a folder" : readableBytes(Number(found.size));
  };
  await requireOffered(service, word, form, describe, person);
  const [found, own] = [await look(), await OwnFiles.find(environment)];
  if (own.has(found)) {
    throw new Failure("usage", `\`${name}\` belongs to svc itself and is never sent. Nothing was sent.`);
  }
  const label = basename(path);
  if (found.isDirectory()) {
    if (!acceptsFolder) throw new Failure("usage", `\`${name}\` is a folder; this command takes a file.`);
    const left = new LeftBehind(path, own, { sendsHidden: form === "named" });
    return {
      label,
      announce: () => LocalTree.ofFolder(path, (entry, stats) => left.takes(entry, stats)),
      remarks: () => left.remarks(),
    };
  }
  if (!found.isFile()) throw new Failure("usage", `\`${name}\` is neither a file nor a folder.`);
  const size = Number(found.size);
  if (size > maxBytes) {
    throw new Failure("tooLarge", `\`${name}\` has ${size} bytes; the server takes ${maxBytes} at most.`);
  }
  return { label, file: { path, size }, announce: async () => LocalTree.ofFile(path, found) };
}

function reason(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === "ENOENT") return "There is no such file.";
  if (code === "EACCES") return "You may not read it.";
  return `The system says ${code ?? "nothing"}.`;
}
