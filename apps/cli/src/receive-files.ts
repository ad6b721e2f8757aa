import { createHash, randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { link, mkdir, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { Readable, Transform, type Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { FileAnswer, FolderAnswer } from "@svc/protocol/exchange";
import { type Connection, refusal } from "./connection.ts";
import { Failure } from "./failure.ts";
import type { ProgressLine, Terminal } from "./terminal.ts";

type Facts = Pick<FileAnswer, "size" | "sha256" | "href">;

/** Saves a file where `--output` says, else under its name in this folder. Answers where. */
export async function receiveFile(
  connection: Connection,
  file: FileAnswer,
  output: string | undefined,
  terminal: Terminal,
  progress: ProgressLine,
): Promise<string | undefined> {
  if (output === "-") {
    await fetchInto(connection, file, terminal.output, progress, file.name);
    return undefined;
  }
  const place = await placeFor(safeName(file.name), output);
  await save(connection, file, place, progress);
  return place;
}

export async function receiveFolder(
  connection: Connection,
  { name, folders, files }: FolderAnswer,
  output: string | undefined,
  progress: ProgressLine,
): Promise<string> {
  if (output === "-")
    throw new Failure("usage", "A folder cannot be printed.", { hint: "Name a folder with --output." });
  const root = output ?? join(".", safeName(name));
  await makeFolder(root);
  for (const folder of folders) await mkdir(join(root, ...safeParts(folder)), { recursive: true });
  for (const [index, file] of files.entries()) {
    const parts = safeParts(file.path);
    await mkdir(join(root, ...parts.slice(0, -1)), { recursive: true });
    await save(connection, file, join(root, ...parts));
    progress.show({ label: "Receiving", done: index + 1, total: files.length, unit: "files" });
  }
  return root;
}

/** Names come from other people: what is left of one is never a way out of the folder that was named. */
function safeName(name: string): string {
  const base = basename(name.replaceAll("\\", "/").replace(/\p{Control}/gu, "_"));
  return base === "" || base === "." || base === ".." ? "download" : base;
}

function safeParts(path: string): string[] {
  const parts = path.split("/");
  if (parts.every((part) => part !== "" && part === safeName(part) && !part.includes("\\"))) return parts;
  throw new Failure(
    "internal",
    `The server sent \`${path}\`, which is no place in a folder. Nothing more was saved.`,
  );
}

async function placeFor(name: string, output: string | undefined): Promise<string> {
  if (output === undefined) return join(".", name);
  const isFolder = await stat(output).then(
    (found) => found.isDirectory(),
    () => output.endsWith("/"),
  );
  return isFolder ? join(output, name) : output;
}

async function makeFolder(root: string): Promise<void> {
  await mkdir(dirname(root), { recursive: true });
  await mkdir(root).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "EEXIST") throw taken(root);
    throw error;
  });
}

/** Under another name until all of it is there and right; then under its own, unless somebody else has it by now. */
async function save(
  connection: Connection,
  file: Facts,
  place: string,
  progress?: ProgressLine,
): Promise<void> {
  await stat(place).then(
    () => {
      throw taken(place);
    },
    () => {},
  );
  const part = join(dirname(place), `.${basename(place)}.${randomUUID()}.part`);
  try {
    await fetchInto(
      connection,
      file,
      createWriteStream(part, { flags: "wx", flush: true }),
      progress,
      basename(place),
    );
    // Not rename, which would replace what came in between.
    await link(part, place).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "EEXIST") throw taken(place);
      throw error;
    });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (
      code === "ENOENT" ||
      code === "EACCES" ||
      code === "ENOSPC" ||
      code === "ENOTDIR" ||
      code === "EROFS"
    ) {
      throw new Failure("disk", `\`${place}\` cannot be written: ${code}.`, { cause: error });
    }
    throw error;
  } finally {
    await rm(part, { force: true });
  }
}

async function fetchInto(
  connection: Connection,
  { href, size, sha256 }: Facts,
  target: Writable,
  progress: ProgressLine | undefined,
  name: string,
): Promise<void> {
  const answer = await connection.fetch(href);
  if (!answer.ok || !answer.body) throw await refusal(answer);
  const digest = createHash("sha256");
  let done = 0;
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, next) {
      digest.update(chunk);
      done += chunk.length;
      progress?.show({ label: `Receiving ${name}`, done, total: size, unit: "bytes" });
      next(null, chunk);
    },
  });
  await pipeline(Readable.fromWeb(answer.body as never), counted, target, { end: target !== process.stdout });
  if (done !== size || digest.digest("hex") !== sha256) {
    throw new Failure("internal", `What arrived of \`${name}\` is not what was sent. Try again.`);
  }
}

function taken(place: string): Failure {
  return new Failure("conflict", `There is something at ${place} already; nothing was overwritten.`, {
    hint: "Choose another place with --output.",
  });
}
