import { createHash } from "node:crypto";
import type { CliRequest, UploadAnswer } from "@svc/protocol/exchange";
import { manifestMediaType, packFrame, packMediaType, placesIn } from "@svc/protocol/manifest";

/** Well below what a pack can hold. */
const inPack = 50;

interface Reply {
  body: object;
}

interface Exchange<Answer extends Reply> {
  type(request: Partial<CliRequest>): Promise<Answer>;
  post(url: string, payload: string | Buffer, mediaType: string): Promise<string>;
}

/** A folder as a client sends it: its manifest, then what the answers ask for. A name that ends with a slash is a folder. */
export async function sendTree<Answer extends Reply>(
  files: Record<string, string | Uint8Array>,
  { type, post }: Exchange<Answer>,
): Promise<Answer> {
  const entries = Object.entries(files);
  const asked = await type({});
  const [first] = uploadsOf(asked);
  if (!first) return asked;
  const lines = entries.map(([path, text]) =>
    path.endsWith("/") ? [path.slice(0, -1)] : [path, Buffer.byteLength(text), digestOf(text)],
  );
  const manifest = [{ kind: "folder" }, ...lines].map((line) => `${JSON.stringify(line)}\n`).join("");
  const { id } = JSON.parse(await post(`${first.href}/manifest`, manifest, manifestMediaType));
  const repeat = (answer: Answer) => {
    const { continuation } = answer.body as unknown as UploadAnswer;
    return type({ continuation, manifests: [{ path: first.path, id }] });
  };
  let answer = await repeat(asked);
  for (let [wanted] = uploadsOf(answer); wanted; [wanted] = uploadsOf(answer)) {
    const frames = [...placesIn(wanted.entries ?? [], entries.length)].map((place) => {
      const [, text = ""] = entries[place] ?? [];
      const frame = packFrame(place, digestOf(text));
      return wanted?.wants === "digests" ? [frame] : [frame, text];
    });
    const isDigests = wanted.wants === "digests";
    const address = `${wanted.href}/${id}/${isDigests ? "digests" : "pack"}`;
    for (let from = 0; from < frames.length; from += inPack) {
      const some = frames.slice(from, isDigests ? undefined : from + inPack);
      const payload = Buffer.concat(some.flat().map((part) => Buffer.from(part)));
      await post(address, payload, isDigests ? manifestMediaType : packMediaType);
      if (isDigests) break;
    }
    answer = await repeat(answer);
  }
  return answer;
}

function uploadsOf({ body }: Reply): UploadAnswer["uploads"] {
  return (body as unknown as Partial<UploadAnswer>).uploads ?? [];
}

function digestOf(text: string | Uint8Array): string {
  return createHash("sha256").update(text).digest("hex");
}
