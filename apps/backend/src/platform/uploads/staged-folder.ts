import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, open } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { ProblemError } from "@svc/protocol/problem";
import { createTarDecoder, type ParsedTarEntry } from "modern-tar";
import { attribute, originOf } from "../process/dependency.ts";
import { type StagedEntry, type StagedFile, stagedFile } from "./staged-file.ts";

const maxEntries = 10_000;

/**
 * A folder arrives as one tar archive: one upload that can be resumed and has one digest. Its files are unpacked under
 * numbers, so that no name in it is ever a path here; anything other than files and folders is refused.
 */
export async function unpackFolder(
  archive: string,
  into: string,
  signal: AbortSignal,
): Promise<StagedEntry[]> {
  await mkdir(into, { mode: 0o700 });
  const entries: StagedEntry[] = [];
  const bytes = Readable.toWeb(createReadStream(archive, { signal })) as ReadableStream<Uint8Array>;
  try {
    for await (const entry of bytes.pipeThrough(createTarDecoder({ strict: true }))) {
      if (entries.length === maxEntries) throw tooMany();
      const staged = await unpack(entry, join(into, String(entries.length)));
      if (staged) entries.push(staged);
    }
  } catch (error) {
    if (error instanceof ProblemError || signal.aborted || originOf(error)) throw error;
    throw new ProblemError("invalid_request", "The upload is not a folder archive.", {
      cause: error,
    });
  }
  return entries;
}

async function unpack({ header, body }: ParsedTarEntry, place: string): Promise<StagedEntry | undefined> {
  const names = header.name.split("/").filter((name) => name !== "" && name !== ".");
  if (names.includes("..")) throw new ProblemError("invalid_request", "Archive paths must not contain `..`.");
  const { type = "file" } = header;
  if (type === "directory") {
    await body.cancel();
    return names.length === 0 ? undefined : { names };
  }
  if (type !== "file" || names.length === 0) {
    throw new ProblemError("invalid_request", "A folder archive can contain only files and folders.");
  }
  return { names, file: await writeEntry(body, names, place) };
}

async function writeEntry(
  body: ReadableStream<Uint8Array>,
  names: readonly string[],
  place: string,
): Promise<StagedFile> {
  const digest = createHash("sha256");
  let size = 0;
  const file = await attribute("store", () => open(place, "wx", 0o600));
  try {
    for await (const chunk of body) {
      digest.update(chunk);
      size += chunk.length;
      await attribute("store", () => file.write(chunk));
    }
  } finally {
    await file.close();
  }
  return stagedFile({ path: names.join("/"), place, size, sha256: digest.digest("hex") });
}

function tooMany(): ProblemError {
  return new ProblemError(
    "too_large",
    `An uploaded folder can have at most ${maxEntries} files and folders.`,
    {
      hint: "Upload its subfolders one by one.",
    },
  );
}
