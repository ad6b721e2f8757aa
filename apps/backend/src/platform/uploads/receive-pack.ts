import { createHash } from "node:crypto";
import { rename, rm, writeFile } from "node:fs/promises";
import type { Readable } from "node:stream";
import { longestPackFrame, parsePackFrame } from "@svc/protocol/manifest";
import { packedFileBytes, packFiles } from "@svc/protocol/pack";
import { ProblemError } from "@svc/protocol/problem";
import { forEach } from "../blobs/for-each.ts";
import { syncAll, syncOne } from "../blobs/sync-disk.ts";
import { attribute } from "../process/dependency.ts";
import { ByteReader } from "./byte-reader.ts";
import type { SentEntry } from "./manifest.ts";
import type { TreeFolder } from "./tree-folder.ts";

interface PendingFile {
  /** Until it is durable. */
  pending: string;
  place: string;
}

interface PackTarget {
  folder: TreeFolder;
  entries: readonly SentEntry[];
  /** Throws if the call has ended. */
  requireOpen(): Promise<void>;
}

const writesAtOnce = 8;

/** Small files one after the other, each behind a line with its entry and digest. Durable when this resolves. */
export async function receivePack(
  { folder, entries, requireOpen }: PackTarget,
  content: Readable,
): Promise<void> {
  const reader = new ByteReader(content);
  const files: PendingFile[] = [];
  try {
    while (!(await reader.isAtEnd())) {
      const frame = parsePackFrame((await reader.line(longestPackFrame)) ?? "");
      const entry = frame && entries[frame.place];
      const isPacked = (entry?.size ?? packedFileBytes + 1) <= packedFileBytes;
      // guard: pack-fits-its-manifest
      if (!entry || !isPacked || files.length === packFiles) throw malformedPack(content);
      const bytes = await reader.take(entry.size as number);
      // guard: packed-contents-are-whole
      if (!bytes) throw malformedPack(content);
      // guard: packed-digests-are-checked
      if (createHash("sha256").update(bytes).digest("hex") !== frame.sha256) throw mismatch(content);
      const pending = folder.pending(entry);
      files.push({ pending, place: folder.content(entry, frame.sha256) });
      await attribute("store", () => writeFile(pending, bytes, { mode: 0o600, flag: "wx" }));
    }
    await attribute("store", async () => {
      // guard: packs-are-synced
      await syncAll(
        folder.path,
        files.map(({ pending }) => pending),
      );
      await requireOpen();
      // A name says that the content is complete, so it comes last.
      await forEach(files, writesAtOnce, ({ pending, place }) => rename(pending, place));
      // guard: names-in-packs-are-synced
      await syncOne(folder.path);
    });
  } catch (error) {
    content.resume();
    await Promise.all(files.map(({ pending }) => rm(pending, { force: true })));
    throw error;
  }
}

/** Lines with entries and digests, without contents. */
export async function receiveDigests(
  entries: readonly SentEntry[],
  content: Readable,
): Promise<[number, string][]> {
  const reader = new ByteReader(content);
  const claimed: [number, string][] = [];
  for (;;) {
    const line = await reader.line(longestPackFrame);
    if (line === undefined) break;
    const frame = parsePackFrame(line);
    if (!frame || entries[frame.place]?.size === undefined || claimed.length > entries.length) {
      throw malformedPack(content);
    }
    claimed.push([frame.place, frame.sha256]);
  }
  if (!(await reader.isAtEnd())) throw malformedPack(content);
  return claimed;
}

function malformedPack(content: Readable): ProblemError {
  content.resume();
  return new ProblemError("invalid_request", "The pack does not fit its manifest.");
}

export function mismatch(content?: Readable): ProblemError {
  content?.resume();
  return new ProblemError(
    "digest_mismatch",
    "The received content does not match its digest. Send the file again.",
  );
}
