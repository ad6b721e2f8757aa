import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { basename } from "node:path";
import type { Readable } from "node:stream";
import { Failure } from "@svc/machine/failure";
import { NetworkFailure } from "@svc/machine/network-failure";
import { type CliRequest, smallFileBytes, smallFilesAtOnce, type UploadAnswer } from "@svc/protocol/exchange";
import { headers } from "@svc/protocol/headers";
import { toTerminalLine } from "@svc/rendering/terminal-text";
import { packTar } from "modern-tar/fs";
import type { Service } from "../network/service.ts";
import type { ProgressLine } from "../progress-line.ts";
import type { Terminal } from "../terminal.ts";
import { persevere } from "./persevere.ts";

type Upload = UploadAnswer["uploads"][number];

/** Something to send: from its beginning, as often as it takes. */
interface Source {
  label: string;
  open(): Readable;
  total?: number;
  isFolder?: true;
  /** What passes by is gone. */
  isOnlyOnce?: true;
}

const patience = 60_000;

/**
 * Sends what the server asks for, but only paths that stand in the line as it was typed: a hostile server can ask for
 * nothing else. Answers what is to go with the line when it is repeated.
 */
export async function sendUploads(
  service: Service,
  argv: readonly string[],
  { uploads }: UploadAnswer,
  terminal: Terminal,
  progress: ProgressLine,
): Promise<Pick<CliRequest, "folders" | "contents">> {
  const folders: string[] = [];
  const contents: { path: string; base64: string }[] = [];
  for (const upload of uploads) {
    const { path } = upload;
    if (!argv.some((word) => word === path || word.endsWith(`=${path}`))) {
      throw new Failure(
        "internal",
        `The server asked for \`${path}\`, which you did not name. Nothing was sent.`,
      );
    }
    const source = await sourceOf(upload, terminal);
    if (source.isFolder) folders.push(path);
    // A small one goes with the line: one request instead of three.
    if (source.total !== undefined && source.total <= smallFileBytes && contents.length < smallFilesAtOnce) {
      contents.push({ path, base64: await readFile(path, "base64") });
    } else await send(service, upload, source, progress);
  }
  return { folders, ...(contents.length > 0 ? { contents } : {}) };
}

async function sourceOf({ path, acceptsFolder, maxBytes }: Upload, terminal: Terminal): Promise<Source> {
  if (path === "-") return { label: "standard input", open: () => terminal.input, isOnlyOnce: true };
  const found = await stat(path).catch((error: unknown) => {
    throw new Failure("notFound", `\`${path}\` cannot be read here.`, { hint: reason(error), cause: error });
  });
  const label = basename(path);
  if (found.isDirectory()) {
    if (!acceptsFolder) throw new Failure("usage", `\`${path}\` is a folder; this command takes a file.`);
    return { label, open: () => packFolder(path, terminal), isFolder: true };
  }
  if (!found.isFile()) throw new Failure("usage", `\`${path}\` is neither a file nor a folder.`);
  if (found.size > maxBytes) {
    throw new Failure(
      "tooLarge",
      `\`${path}\` has ${found.size} bytes; the server takes ${maxBytes} at most.`,
    );
  }
  return { label, open: () => createReadStream(path, { highWaterMark: 256 * 1_024 }), total: found.size };
}

/** Links and devices stay behind: what they lead to may be outside of the folder that was named. */
function packFolder(path: string, terminal: Terminal): Readable {
  return packTar(path, {
    filter: (entry, stats) => {
      if (stats.isFile() || stats.isDirectory()) return true;
      void terminal.error(`note: ${toTerminalLine(entry)} is neither a file nor a folder and stays behind\n`);
      return false;
    },
  });
}

/**
 * One stream, then an empty piece that says what all of it ought to be: the server compares. After a cut the server
 * says how much it has; the source is read from its beginning again, because the digest needs all of it.
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
        const known = Math.max(0, Math.min(chunk.length, offset - read));
        read += chunk.length;
        const { label, total } = source;
        progress.show({
          label: `Sending ${label}`,
          done: read,
          unit: "bytes",
          ...(total === undefined ? {} : { total }),
        });
        if (known < chunk.length) yield chunk.subarray(known);
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
      hint: "Standard input cannot be read twice: save it as a file and send that.",
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
  // The end of an earlier connection reached the server after it had said how much it has: it will say more now.
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
