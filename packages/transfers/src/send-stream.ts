import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import type { Readable } from "node:stream";
import { Failure } from "@svc/machine/failure";
import { NetworkFailure } from "@svc/machine/network/network-failure";
import { headers } from "@svc/protocol/headers";
import type { Sender } from "./connection.ts";
import { patch, receivedSoFar } from "./send-pieces.ts";

/**
 * One stream, then an empty piece with the digest of everything, which the server compares. After an interruption the
 * server says how much it has; the source is read from its start again, because the digest needs all of it.
 */
export async function sendStream(
  { service, progress, label }: Sender,
  href: string,
  { file, input }: { file?: { path: string; size: number }; input?: Readable },
): Promise<void> {
  if (input?.readableEnded) throw onlyOnce();
  let [isFirst, arrived] = [true, 0];
  const open = () => (file ? createReadStream(file.path, { highWaterMark: 256 * 1_024 }) : input) ?? [];
  const work = async () => {
    const offset = isFirst ? 0 : await receivedSoFar(service, href);
    arrived = offset;
    isFirst = false;
    const digest = createHash("sha256");
    let read = 0;
    const rest = async function* () {
      for await (const chunk of open() as AsyncIterable<Buffer>) {
        digest.update(chunk);
        const received = Math.max(0, Math.min(chunk.length, offset - read));
        read += chunk.length;
        progress.show({
          label: "Sending",
          subject: label,
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
  if (file) return service.persevere(work, () => arrived);
  await work().catch((error: unknown) => {
    if (!(error instanceof NetworkFailure)) throw error;
    throw new Failure(error.kind, error.message, {
      hint: "Standard input cannot be read twice: save it to a file and send that.",
      cause: error,
    });
  });
}

function onlyOnce(): Failure {
  return new Failure("internal", "The server asked for standard input twice.", {
    hint: "Save it to a file and send that.",
  });
}
