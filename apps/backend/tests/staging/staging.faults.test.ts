import { createHash } from "node:crypto";
import { request as httpRequest } from "node:http";
import type { UploadAnswer } from "@svc/protocol/exchange";
import { manifestMediaType, packFrame, packMediaType } from "@svc/protocol/manifest";
import { faultSize } from "@svc/testing/fault-size";
import { waitUntil } from "@svc/testing/wait-until";
import { afterAll, beforeAll, expect, test } from "vitest";
import { FilesTown } from "../../testing/files-test.ts";
import { stagedFiles } from "../../testing/staged-files.ts";
import { TestBackend } from "../../testing/test-backend.ts";

/**
 * A call with files leaves nothing behind once its answer is sent, however it ends: the bar allows 60 s. Only uploads
 * whose sender disconnected stay, for the resume window, and count against the limits.
 */
const puts = faultSize(1_000, 60);
const minute = 60_000;
const resumeMillis = 60 * minute;
const bytesPerPerson = 2_000_000;

let backend: TestBackend;
let address: string;
let town: FilesTown;

beforeAll(async () => {
  backend = await TestBackend.start({ staging: { resumeMillis, bytesPerPerson } });
  address = await backend.server.listen({ host: "127.0.0.1", port: 0 });
  town = await FilesTown.build(backend, await backend.addTenant(), "Town");
  await town.run("collections create customers --field name:text");
  await town.put("/taken.txt", "taken");
});
afterAll(() => backend.close());

interface Sending {
  line: string[];
  content: Buffer;
  isFolder?: boolean;
  isInline?: boolean;
}

/** The upload: `isGood`, or one that the command refuses once it is complete. */
const forms: Record<string, (unique: number, isGood: boolean) => Promise<Sending>> = {
  file: async (unique, isGood) => ({
    line: ["files", "put", isGood ? `./f${unique}.txt` : "-", "/"],
    content: Buffer.from(`file ${unique}`),
  }),
  inline: async (unique, isGood) => ({
    line: ["files", "put", isGood ? `./i${unique}.txt` : "-", "/"],
    content: Buffer.from(`inline ${unique}`),
    isInline: true,
  }),
  folder: async (unique, isGood) => ({
    line: ["files", "put", `./d${unique}`, isGood ? "/" : "/taken.txt"],
    content: Buffer.from("one"),
    isFolder: true,
  }),
  import: async (unique, isGood) => ({
    line: ["records", "import", "customers", `./${unique}.csv`],
    content: Buffer.from(isGood ? `name\nAcme ${unique}\n` : "nosuchfield\nAcme\n"),
  }),
};
const names = Object.keys(forms);
const ends = ["finished", "refused", "replayed", "aborted"] as const;

test(`${puts} puts: finished, refused and replayed ones leave no bytes, aborted ones stay for the resume window`, async () => {
  const counted: Record<string, number> = {};
  let abortedBytes = 0;
  for (let put = 0; put < puts; put += 1) {
    const end = ends[Math.floor(put / names.length) % ends.length] ?? "finished";
    const name = names[put % names.length] ?? "file";
    const sending = await (forms[name] as (typeof forms)[string])(put, end !== "refused");
    const what = `${end} ${name}`;
    counted[what] = (counted[what] ?? 0) + 1;
    abortedBytes += end === "aborted" ? await abort(sending, put % 2 === 0) : await carryOut(sending, end);
    // Only aborted uploads, as soon as the answer arrives.
    expect([what, (await stagedFiles(backend.folder)).bytes]).toEqual([what, abortedBytes]);
  }
  process.stdout.write(`staging: ${JSON.stringify(counted)}, ${abortedBytes} bytes aborted\n`);
  expect(Object.keys(counted)).toHaveLength(names.length * ends.length);

  expect(await backend.staging.sweep(at(new Date(Date.now() + resumeMillis - 10 * minute)))).toBe(0);
  expect((await stagedFiles(backend.folder)).bytes).toBe(abortedBytes);
  await backend.staging.sweep(at(new Date(Date.now() + resumeMillis + minute)));
  expect(await stagedFiles(backend.folder)).toEqual({ files: 0, bytes: 0 });
});

test("aborted uploads count against the limit, and a piece over it is refused before its first byte", async () => {
  const owner = await FilesTown.build(backend, await backend.addTenant(), "Full");
  const ask = async () => {
    const { body } = await owner.type("files put ./large.bin /");
    return body as unknown as UploadAnswer;
  };
  const [first, second] = [await ask(), await ask()];
  expect(await patch(owner.owner, href(first), Buffer.alloc(bytesPerPerson - 1_000))).toBe(204);
  const { bytes } = await stagedFiles(backend.folder);
  expect(await patch(owner.owner, href(second), Buffer.alloc(1_001))).toBe(413);
  expect((await stagedFiles(backend.folder)).bytes).toBe(bytes);
  // Without a length, it is refused once it exceeds the limit, and nothing of it stays.
  expect(await patchWithoutLength(owner.owner, href(second), Buffer.alloc(300_000))).toBe(413);
  expect((await stagedFiles(backend.folder)).bytes).toBe(bytes);
  expect(await patch(owner.owner, href(second), Buffer.alloc(1_000))).toBe(204);
  const refused = await owner.type("files put ./another.bin /");
  expect(refused.body).toMatchObject({ code: "too_large", detail: expect.stringContaining("unfinished") });
  await backend.staging.sweep(at(new Date(Date.now() + resumeMillis + minute)));
  expect((await ask()).uploads).toHaveLength(1);
});

/** The whole exchange; returns the bytes that may stay, which is zero. */
async function carryOut(sending: Sending, end: "finished" | "refused" | "replayed"): Promise<0> {
  const answer = (await backend.type(town.owner, words(sending))).body as unknown as UploadAnswer;
  const isDirect = !sending.isInline && !sending.isFolder;
  if (isDirect) expect(await patch(town.owner, href(answer), sending.content)).toBe(204);
  const path = answer.uploads[0]?.path ?? "";
  const request = {
    continuation: answer.continuation,
    ...(sending.isFolder ? { manifests: await sendParts(sending, answer, end !== "refused") } : {}),
    ...(sending.isInline ? { contents: [{ path, base64: sending.content.toString("base64") }] } : {}),
  };
  const headers = { "idempotency-key": crypto.randomUUID() };
  const call = (more?: Record<string, string>) =>
    backend.type(town.owner, words(sending), { request, headers: { ...headers, ...more } });
  const { status, body } = await call();
  expect([status, body.code]).toEqual(
    end === "refused"
      ? [expect.any(Number), expect.stringMatching(/conflict|invalid_arguments|usage/)]
      : [200, undefined],
  );
  if (end !== "replayed") return 0;
  expect((await call()).headers["idempotency-replayed"]).toBe("true");
  expect((await call({ "idempotency-key": crypto.randomUUID() })).body.code).toBe("conflict");
  return 0;
}

/** Sends all of it or the first half, and disconnects; returns how many bytes had arrived. */
async function abort(sending: Sending, isWhole: boolean): Promise<number> {
  const answer = (await backend.type(town.owner, words(sending))).body as unknown as UploadAnswer;
  if (sending.isInline) return 0;
  if (sending.isFolder) {
    const { bytes } = await stagedFiles(backend.folder);
    await sendParts(sending, answer, isWhole);
    return (await stagedFiles(backend.folder)).bytes - bytes;
  }
  const part = sending.content.subarray(0, isWhole ? undefined : sending.content.length / 2);
  if (isWhole) {
    expect(await patch(town.owner, href(answer), part)).toBe(204);
    return part.length;
  }
  const before = (await stagedFiles(backend.folder)).bytes;
  const outgoing = httpRequest(new URL(href(answer), address), {
    method: "PATCH",
    headers: { ...pieceHeaders(town.owner), "content-length": sending.content.length },
  });
  outgoing.on("error", () => {});
  outgoing.write(part);
  await waitUntil(async () => expect((await stagedFiles(backend.folder)).bytes).toBe(before + part.length));
  outgoing.destroy();
  return part.length;
}

/** The manifest of a folder with one file and, after its check, the content. */
async function sendParts(sending: Sending, { uploads, continuation }: UploadAnswer, isWhole: boolean) {
  const [{ href = "", path = "" } = {}] = uploads;
  const post = (url: string, payload: string, mediaType: string) =>
    backend.server.inject({
      method: "POST",
      url,
      headers: { authorization: `Bearer ${town.owner}`, "content-type": mediaType },
      payload,
    });
  const lines = [{ kind: "folder" }, ["a.txt", sending.content.length, "1"]];
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  const { id } = (await post(`${href}/manifest`, text, manifestMediaType)).json();
  const manifests = [{ path, id }];
  if (!isWhole) return manifests;
  await backend.type(town.owner, words(sending), { request: { continuation, manifests } });
  const sha256 = createHash("sha256").update(sending.content).digest("hex");
  const pack = `${packFrame(0, sha256)}${sending.content}`;
  expect((await post(`${href}/${id}/pack`, pack, packMediaType)).statusCode).toBe(204);
  return manifests;
}

async function patch(token: string, url: string, payload: Buffer): Promise<number> {
  const headers = { ...pieceHeaders(token), "content-length": String(payload.length) };
  return (await backend.server.inject({ method: "PATCH", url, headers, payload })).statusCode;
}

function patchWithoutLength(token: string, url: string, payload: Buffer): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const outgoing = httpRequest(new URL(url, address), { method: "PATCH", headers: pieceHeaders(token) });
  outgoing.on("error", reject);
  outgoing.on("response", (answer) => {
    answer.resume();
    resolve(answer.statusCode ?? 0);
  });
  outgoing.write(payload);
  outgoing.end();
  return promise;
}

function pieceHeaders(token: string): Record<string, string> {
  return {
    authorization: `Bearer ${token}`,
    "content-type": "application/offset+octet-stream",
    "upload-offset": "0",
  };
}

function words({ line }: Sending): string[] {
  return town.words(line);
}

function href({ uploads }: UploadAnswer): string {
  return uploads[0]?.href ?? "";
}

/** Both clocks show the same time here. */
function at(now: Date) {
  return { machineTime: now, now };
}
