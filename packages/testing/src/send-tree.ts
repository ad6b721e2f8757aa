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

type Content = string | Uint8Array;
/** A name that ends with a slash is a folder. */
type Files = Readonly<Record<string, Content>>;
type Upload = UploadAnswer["uploads"][number];

/** A folder as a client sends it: its manifest, then what the answers ask for. */
export function sendTree<Answer extends Reply>(files: Files, exchange: Exchange<Answer>): Promise<Answer> {
  return sendSources(() => files, exchange);
}

/** The same for every path that the line names: a file, or a folder with these files. */
export async function sendSources<Answer extends Reply>(
  sourceOf: (path: string) => Content | Files,
  { type, post }: Exchange<Answer>,
): Promise<Answer> {
  const manifests = new Map<string, string>();
  let answer = await type({});
  for (let uploads = uploadsOf(answer); uploads.length > 0; uploads = uploadsOf(answer)) {
    for (const upload of uploads) await sendOne(upload);
    const { continuation } = answer.body as unknown as UploadAnswer;
    answer = await type({ continuation, manifests: [...manifests].map(([path, id]) => ({ path, id })) });
  }
  return answer;

  async function sendOne(upload: Upload): Promise<void> {
    const { path, href, wants } = upload;
    const source = sourceOf(path);
    const id = manifests.get(path);
    if (wants === "contents") return sendPacks(upload, `${href}/${id}`, source);
    if (wants === "digests") {
      const frames = placesOf(upload, source).map(([place, content]) => packFrame(place, digestOf(content)));
      await post(`${href}/${id}/digests`, frames.join(""), manifestMediaType);
    } else {
      const sent = await post(`${href}/manifest`, manifestOf(source), manifestMediaType);
      manifests.set(path, JSON.parse(sent).id);
    }
  }

  async function sendPacks(upload: Upload, address: string, source: Content | Files): Promise<void> {
    const frames = placesOf(upload, source).map(([place, content]) =>
      Buffer.concat([Buffer.from(packFrame(place, digestOf(content))), Buffer.from(content)]),
    );
    for (let from = 0; from < frames.length; from += inPack) {
      await post(`${address}/pack`, Buffer.concat(frames.slice(from, from + inPack)), packMediaType);
    }
  }
}

function manifestOf(source: Content | Files): string {
  const kind = isContent(source) ? "file" : "folder";
  const lines = entriesOf(source).map(([path, content]) =>
    path.endsWith("/") ? [path.slice(0, -1)] : [path, Buffer.byteLength(content), digestOf(content)],
  );
  return [{ kind }, ...lines].map((line) => `${JSON.stringify(line)}\n`).join("");
}

function placesOf({ entries = [] }: Upload, source: Content | Files): [place: number, content: Content][] {
  const all = entriesOf(source);
  return [...placesIn(entries, all.length)].map((place) => [place, all[place]?.[1] ?? ""]);
}

function entriesOf(source: Content | Files): [path: string, content: Content][] {
  return isContent(source) ? [["", source]] : Object.entries(source);
}

function isContent(source: Content | Files): source is Content {
  return typeof source === "string" || source instanceof Uint8Array;
}

function uploadsOf({ body }: Reply): UploadAnswer["uploads"] {
  return (body as unknown as Partial<UploadAnswer>).uploads ?? [];
}

function digestOf(content: Content): string {
  return createHash("sha256").update(content).digest("hex");
}
