import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
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
import { headers } from "@svc/protocol/headers";
import { localPath } from "@svc/protocol/local-path";
import { toTerminalLine } from "@svc/rendering/terminal-text";
import { packTar } from "modern-tar/fs";
import type { Invocation } from "../invocation.ts";
import type { Service } from "../network/service.ts";
import { type ProgressLine, readableBytes } from "../progress-line.ts";
import { persevere } from "./persevere.ts";
import { requireOffered } from "./require-offered.ts";

type Upload = UploadAnswer["uploads"][number];

/** Something to send: opened from its start, as often as needed. */
interface Source {
  label: string;
  open(): Readable;
  /** A file of this machine, and how long it is. */
  file?: { path: string; size: number };
  isFolder?: true;
  /** A stream that cannot be read a second time. */
  isOnlyOnce?: true;
  /** Remarks to print once it is sent. */
  remarks?(): string[];
}

const patience = 60_000;

/**
 * Sends what the server asks for, but only what the line offers by the form of its words: a hostile server gets
 * nothing else. Returns what goes with the line when it is repeated.
 */
export async function sendUploads(
  service: Service,
  argv: readonly string[],
  { uploads }: UploadAnswer,
  invocation: Pick<Invocation, "terminal" | "environment">,
  progress: ProgressLine,
): Promise<Pick<CliRequest, "folders" | "contents">> {
  const sources: [Upload, Source][] = [];
  for (const upload of uploads) {
    sources.push([upload, await offeredSource(service, argv, upload, { ...invocation, progress })]);
  }
  const folders: string[] = [];
  const contents: { path: string; base64: string }[] = [];
  for (const [upload, source] of sources) {
    const { path } = upload;
    const { file, isFolder, remarks } = source;
    if (isFolder) folders.push(path);
    // A small file goes with the line: one request instead of three.
    if (file && file.size <= smallFileBytes && contents.length < smallFilesAtOnce) {
      contents.push({ path, base64: await readFile(file.path, "base64") });
    } else await send(service, upload, source, progress);
    for (const remark of remarks?.() ?? []) {
      await progress.clear();
      await invocation.terminal.error(`note: ${toTerminalLine(remark)}\n`);
    }
  }
  return { folders, ...(contents.length > 0 ? { contents } : {}) };
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
  if (form === "input") return { label: "standard input", open: () => terminal.input, isOnlyOnce: true };
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
    const filter: typeof left.takes = (entry, stats) => left.takes(entry, stats);
    return { label, open: () => packTar(path, { filter }), isFolder: true, remarks: () => left.remarks() };
  }
  if (!found.isFile()) throw new Failure("usage", `\`${name}\` is neither a file nor a folder.`);
  const size = Number(found.size);
  if (size > maxBytes) {
    throw new Failure("tooLarge", `\`${name}\` has ${size} bytes; the server takes ${maxBytes} at most.`);
  }
  return {
    label,
    open: () => createReadStream(path, { highWaterMark: 256 * 1_024 }),
    file: { path, size },
  };
}

/**
 * One stream, then an empty piece with the digest of everything, which the server compares. After an interruption the
 * server says how much it has; the source is read from its start again, because the digest needs all of it.
 */
async function send(
  service: Service,
  { href }: Upload,
  source: Source,
  progress: ProgressLine,
): Promise<void> {
  let [isFirst, arrived] = [true, 0];
  const work = async () => {
    const offset = isFirst ? 0 : await receivedSoFar(service, href);
    arrived = offset;
    isFirst = false;
    const digest = createHash("sha256");
    let read = 0;
    const rest = async function* () {
      for await (const chunk of source.open() as AsyncIterable<Buffer>) {
        digest.update(chunk);
        const received = Math.max(0, Math.min(chunk.length, offset - read));
        read += chunk.length;
        const { label, file } = source;
        progress.show({
          label: `Sending ${label}`,
          done: read,
          unit: "bytes",
          ...(file ? { total: file.size } : {}),
        });
        if (received < chunk.length) yield chunk.subarray(received);
      }
    };
    await patch(service, href, offset, rest());
    await patch(service, href, read, new Uint8Array(), {
      [headers.representationDigest]: `sha-256=:${digest.digest("base64")}:`,
    });
  };
  if (!source.isOnlyOnce) return persevere(service, progress, work, () => arrived);
  await work().catch((error: unknown) => {
    if (!(error instanceof NetworkFailure)) throw error;
    throw new Failure(error.kind, error.message, {
      hint: "Standard input cannot be read twice: save it to a file and send that.",
      cause: error,
    });
  });
}

async function receivedSoFar(service: Service, href: string): Promise<number> {
  const answer = await service.fetch(href, { method: "HEAD" });
  await answer.discard();
  const offset = answer.headers.get(headers.uploadOffset);
  if (!answer.ok || offset === null || !/^\d{1,15}$/.test(offset)) throw await service.refusal(answer);
  return Number(offset);
}

async function patch(
  service: Service,
  href: string,
  offset: number,
  body: AsyncIterable<Uint8Array> | Uint8Array,
  more: Record<string, string> = {},
): Promise<void> {
  const answer = await service.fetch(href, {
    method: "PATCH",
    headers: {
      "content-type": "application/offset+octet-stream",
      [headers.uploadOffset]: String(offset),
      ...more,
    },
    body,
    silenceMillis: patience,
  });
  // The last bytes of an earlier connection arrived after the server had reported its offset: it will report more now.
  if (answer.status === 409) throw service.cut();
  if (!answer.ok) throw await service.refusal(answer);
  await answer.discard();
}

function reason(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === "ENOENT") return "There is no such file.";
  if (code === "EACCES") return "You may not read it.";
  return `The system says ${code ?? "nothing"}.`;
}
