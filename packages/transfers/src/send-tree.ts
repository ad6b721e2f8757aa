import { createHash } from "node:crypto";
import { Failure } from "@svc/machine/failure";
import { NetworkFailure } from "@svc/machine/network/network-failure";
import type { UploadAnswer } from "@svc/protocol/exchange";
import { headers } from "@svc/protocol/headers";
import { manifestMediaType, packFrame, packMediaType, pieceBytes, placesIn } from "@svc/protocol/manifest";
import { isShape, isText, parsedJson } from "@svc/protocol/shape";
import type { Connection, Sender } from "./connection.ts";
import type { LocalTree } from "./local-tree.ts";
import { planPacks } from "./plan-packs.ts";
import { runFewAtOnce } from "./run-few-at-once.ts";
import { patch, receivedSoFar } from "./send-pieces.ts";

type Upload = UploadAnswer["uploads"][number];

const atOnce = 4;
const patience = 60_000;
const smallPackBytes = 1_000;
const isReceipt = isShape<{ id: string }>({ id: isText });

/** Announces names and sizes. Returns the id of the manifest. */
export async function sendManifest(sender: Sender, { href }: Upload, tree: LocalTree): Promise<string> {
  const body = await post(sender, `${href}/manifest`, manifestMediaType, () => tree.manifest());
  const receipt = parsedJson(body);
  if (isReceipt(receipt)) return receipt.id;
  throw new Failure("internal", "The server sent an answer that svc does not understand.");
}

/** Of the entries that may be there already. */
export async function sendDigests(
  sender: Sender,
  upload: Upload,
  id: string,
  tree: LocalTree,
): Promise<void> {
  const places = wanted(upload, tree);
  const frames: string[] = [];
  for (const place of places) {
    sender.service.signal.throwIfAborted();
    frames.push(packFrame(place, await tree.digest(place)));
    sender.progress.show({
      label: "Checking",
      subject: sender.label,
      done: frames.length,
      total: places.length,
      unit: "files",
    });
  }
  await post(sender, `${upload.href}/${id}/digests`, manifestMediaType, () => frames.join(""));
}

/** Small files in packs, large ones in pieces, several at once. */
export async function sendContents(
  sender: Sender,
  upload: Upload,
  id: string,
  tree: LocalTree,
): Promise<void> {
  const places = wanted(upload, tree);
  const total = places.reduce((sum, place) => sum + tree.sizeOf(place), 0);
  let done = 0;
  const onSent = (bytes: number) => {
    done += bytes;
    sender.progress.show({ label: "Sending", subject: sender.label, done, total, unit: "bytes" });
  };
  onSent(0);
  const begun = new Map(upload.begun?.map(({ entry, bytes }) => [entry, bytes]));
  const address = `${upload.href}/${id}`;
  const { packs, large } = planPacks(
    places.map((place) => ({ place, size: tree.sizeOf(place) })),
    atOnce,
  );
  await runFewAtOnce(atOnce, [
    ...large.map(
      ({ place }) =>
        () =>
          sendLarge(sender, `${address}/${place}`, place, begun.get(place), tree, onSent),
    ),
    ...packs.map((pack) => () => sendPack(sender, address, pack, tree, onSent)),
  ]);
}

/** A server may ask for any file, but for nothing that was not announced. */
function wanted({ entries = [] }: Upload, tree: LocalTree): number[] {
  return [...new Set(placesIn(entries, tree.entries.length))].filter((place) => tree.entries[place]?.file);
}

interface Packed {
  place: number;
  size: number;
}

/** If it does not get through in two attempts, it is divided, down to single files, which continue where they were cut. */
async function sendPack(
  sender: Sender,
  address: string,
  files: readonly Packed[],
  tree: LocalTree,
  onSent: (bytes: number) => void,
): Promise<void> {
  const pack = await readPacked(files, tree);
  if (await hasArrived(sender, `${address}/pack`, pack)) {
    return onSent(files.reduce((sum, { size }) => sum + size, 0));
  }
  const [first, ...others] = files;
  if (first && others.length === 0) {
    return sendLarge(sender, `${address}/${first.place}`, first.place, undefined, tree, onSent);
  }
  const half = Math.ceil(files.length / 2);
  await sendPack(sender, address, files.slice(0, half), tree, onSent);
  await sendPack(sender, address, files.slice(half), tree, onSent);
}

async function readPacked(files: readonly Packed[], tree: LocalTree): Promise<Buffer> {
  const parts: Buffer[] = [];
  for (const { place, size } of files) {
    const file = await tree.open(place);
    try {
      const content = await file.read(0, size);
      const digest = createHash("sha256").update(content).digest("hex");
      parts.push(Buffer.from(packFrame(place, digest)), content);
    } finally {
      await file.close();
    }
  }
  return Buffer.concat(parts);
}

/** False if the connection broke twice. A pack that fits into a packet is not given up. */
async function hasArrived(sender: Sender, href: string, pack: Buffer): Promise<boolean> {
  let cuts = 0;
  const isSmall = pack.length < smallPackBytes;
  const work = async () => {
    try {
      await postOnce(sender.service, href, packMediaType, pack);
      cuts = 0;
    } catch (error) {
      if (!(error instanceof NetworkFailure)) throw error;
      cuts += 1;
      if (isSmall || cuts < 2) throw error;
    }
  };
  await sender.service.persevere(work, () => 0);
  return cuts === 0;
}

/** After an interruption the server says how much it has; the digest needs everything before that again. */
async function sendLarge(
  { service }: Sender,
  href: string,
  place: number,
  begun: number | undefined,
  tree: LocalTree,
  onSent: (bytes: number) => void,
): Promise<void> {
  const size = tree.sizeOf(place);
  let known: number | undefined = begun ?? 0;
  let arrived = 0;
  const report = (end: number) => {
    if (end > arrived) onSent(end - arrived);
    arrived = Math.max(arrived, end);
  };
  const file = await tree.open(place);
  const work = async () => {
    let offset: number = known ?? (await receivedSoFar(service, href));
    known = undefined;
    const hash = await file.digestTo(offset);
    report(offset);
    const nextPiece = async (from: number) => {
      const piece = await file.read(from, pieceBytes);
      hash.update(piece);
      return piece;
    };
    let piece = await nextPiece(offset);
    while (offset < size) {
      const end = offset + piece.length;
      const isLast = end === size;
      const more = isLast ? { [headers.representationDigest]: `sha-256=:${hash.digest("base64")}:` } : {};
      const sending = patch(service, href, offset, piece, more);
      // Read and digested while this one is on its way.
      const [next] = await Promise.all([isLast ? piece : nextPiece(end), sending]);
      [piece, offset] = [next, end];
      report(offset);
    }
  };
  try {
    await service.persevere(work, () => arrived);
  } finally {
    await file.close();
  }
}

async function post(
  { service }: Sender,
  href: string,
  mediaType: string,
  body: () => string | Uint8Array,
): Promise<string> {
  let text = "";
  const work = async () => {
    text = await postOnce(service, href, mediaType, body());
  };
  await service.persevere(work, () => 0);
  return text;
}

async function postOnce(
  service: Connection,
  href: string,
  mediaType: string,
  body: string | Uint8Array,
): Promise<string> {
  const answer = await service.fetch(href, {
    method: "POST",
    headers: { "content-type": mediaType },
    body,
    silenceMillis: patience,
  });
  if (!answer.ok) throw await service.refusal(answer);
  return answer.text();
}
