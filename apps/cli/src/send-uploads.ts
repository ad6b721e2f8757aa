import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { basename } from "node:path";
import { Readable, Transform } from "node:stream";
import { buffer } from "node:stream/consumers";
import { type CliRequest, smallFileBytes, smallFilesAtOnce, type UploadAnswer } from "@svc/protocol/exchange";
import { headers } from "@svc/protocol/headers";
import { packTar } from "modern-tar/fs";
import { type Connection, refusal } from "./connection.ts";
import { Failure } from "./failure.ts";
import type { ProgressLine, Terminal } from "./terminal.ts";

type Upload = UploadAnswer["uploads"][number];

/**
 * Sends what the server asks for, but only paths that stand in the line as it was typed: a hostile server can ask for
 * nothing else. Answers what is to go with the line when it is repeated.
 */
export async function sendUploads(
  connection: Connection,
  argv: readonly string[],
  { uploads }: UploadAnswer,
  terminal: Terminal,
  progress: ProgressLine,
): Promise<Pick<CliRequest, "folders" | "contents">> {
  const folders: string[] = [];
  const contents: { path: string; base64: string }[] = [];
  for (const upload of uploads) {
    if (!argv.some((word) => word === upload.path || word.endsWith(`=${upload.path}`))) {
      throw new Failure(
        "internal",
        `The server asked for \`${upload.path}\`, which you did not name. Nothing was sent.`,
      );
    }
    const { content, total, isFolder } = await open(upload, terminal);
    if (isFolder) folders.push(upload.path);
    // A small one goes with the line: one request instead of three.
    if (total !== undefined && total <= smallFileBytes && contents.length < smallFilesAtOnce) {
      contents.push({ path: upload.path, base64: (await buffer(content)).toString("base64") });
    } else await send(connection, upload, content, total, progress);
  }
  return { folders, ...(contents.length > 0 ? { contents } : {}) };
}

async function open(
  { path, acceptsFolder, maxBytes }: Upload,
  terminal: Terminal,
): Promise<{ content: Readable; total?: number; isFolder: boolean }> {
  if (path === "-") return { content: terminal.input, isFolder: false };
  const found = await stat(path).catch((error: unknown) => {
    throw new Failure("notFound", `\`${path}\` cannot be read here.`, { hint: reason(error), cause: error });
  });
  if (found.isDirectory()) {
    if (!acceptsFolder) throw new Failure("usage", `\`${path}\` is a folder; this command takes a file.`);
    return { content: packFolder(path, terminal), isFolder: true };
  }
  if (!found.isFile()) throw new Failure("usage", `\`${path}\` is neither a file nor a folder.`);
  if (found.size > maxBytes) {
    throw new Failure(
      "tooLarge",
      `\`${path}\` has ${found.size} bytes; the server takes ${maxBytes} at most.`,
    );
  }
  return { content: createReadStream(path), total: found.size, isFolder: false };
}

/** Links and devices stay behind: what they lead to may be outside of the folder that was named. */
function packFolder(path: string, terminal: Terminal): Readable {
  return packTar(path, {
    filter: (entry, stats) => {
      if (stats.isFile() || stats.isDirectory()) return true;
      terminal.error(`note: ${entry} is neither a file nor a folder and stays behind\n`);
      return false;
    },
  });
}

/** One stream, then an empty piece that says what all of it ought to be: the server compares. */
async function send(
  connection: Connection,
  { path, href }: Upload,
  content: Readable,
  total: number | undefined,
  progress: ProgressLine,
): Promise<void> {
  const digest = createHash("sha256");
  let done = 0;
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, next) {
      digest.update(chunk);
      done += chunk.length;
      const label = `Sending ${path === "-" ? "standard input" : basename(path)}`;
      progress.show({ label, done, unit: "bytes", ...(total === undefined ? {} : { total }) });
      next(null, chunk);
    },
  });
  content.on("error", (error) => counted.destroy(error));
  await patch(connection, href, 0, Readable.toWeb(content.pipe(counted)) as ReadableStream);
  await patch(connection, href, done, new Uint8Array(), {
    [headers.representationDigest]: `sha-256=:${digest.digest("base64")}:`,
  });
}

async function patch(
  connection: Connection,
  href: string,
  offset: number,
  body: ReadableStream | Uint8Array<ArrayBuffer>,
  more: Record<string, string> = {},
): Promise<void> {
  const answer = await connection.fetch(href, {
    method: "PATCH",
    headers: {
      "content-type": "application/offset+octet-stream",
      [headers.uploadOffset]: String(offset),
      ...more,
    },
    body,
    duplex: "half",
  });
  if (!answer.ok) throw await refusal(answer);
}

function reason(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === "ENOENT") return "There is no such file.";
  if (code === "EACCES") return "You may not read it.";
  return `The system says ${code ?? "nothing"}.`;
}
