import { randomBytes, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { createTestBucket, type TestBucket, testBucketMillis } from "../../../testing/test-bucket.ts";
import { listKeys } from "../../../testing/test-stores.ts";
import { blobKey } from "./blob-store.ts";
import { S3Store } from "./s3-store.ts";

type Interference = (
  request: IncomingMessage,
  response: ServerResponse,
) => "forward" | "lose the answer" | "keep";

let bucket: TestBucket;
let line: Server;
let interfere: Interference = () => "forward";
let throughLine: S3Store;
/** The same with a short time-out, under which other tests could fail on a busy machine. */
let impatient: S3Store;
let direct: S3Store;

beforeAll(async () => {
  bucket = await createTestBucket();
  direct = new S3Store(bucket);
  line = createServer(carry);
  await new Promise<void>((resolve) => line.listen(0, "127.0.0.1", resolve));
  const endpoint = `http://127.0.0.1:${(line.address() as AddressInfo).port}`;
  throughLine = new S3Store({ ...bucket, endpoint });
  impatient = new S3Store({ ...bucket, endpoint }, { answerMillis: 500 });
}, testBucketMillis);
afterEach(() => {
  interfere = () => "forward";
});
afterAll(async () => {
  line.closeAllConnections();
  line.close();
  await bucket.drop();
});

test("retries what the endpoint was too busy for, including parts of a large write", async () => {
  const refused = new Set<string | undefined>();
  interfere = ({ url }, response) => {
    if (refused.has(url)) return "forward";
    refused.add(url);
    response.writeHead(503).end();
    return "keep";
  };
  for (const size of [1_000, 12_000_000]) {
    const bytes = randomBytes(size);
    const key = newKey();
    await throughLine.write(key, Readable.from([bytes]));
    expect((await buffer(await direct.read(key))).equals(bytes)).toBe(true);
  }
});

test.for([
  ["a small write", 1_000, /x-id=PutObject/, 1],
  ["every attempt of a small write", 1_000, /x-id=PutObject/, 3],
  ["a part", 12_000_000, /partNumber=1&/, 1],
  ["the end of a large write", 12_000_000, /uploadId=[^&]*$/, 1],
] as const)(
  "if the answer to %s is lost, the object is either complete or absent",
  async ([, size, lost, times]) => {
    let losses = 0;
    interfere = ({ url = "" }) => {
      if (losses === times || !lost.test(url)) return "forward";
      losses += 1;
      return "lose the answer";
    };
    const bytes = randomBytes(size);
    const key = newKey();
    const isWritten = await throughLine.write(key, Readable.from([bytes])).then(
      () => true,
      () => false,
    );
    const found = await direct.read(key).then(buffer, () => undefined);
    expect(losses).toBe(times);
    expect(found?.equals(bytes) ?? false).toBe(isWritten);
  },
);

test("gives up a large write only when no part of it is on its way, which would stay", async () => {
  const seen: string[] = [];
  const parts = new Set<string>();
  const broken = Promise.withResolvers<void>();
  const content = new Readable({ read() {} });
  content.push(randomBytes(12_000_000));
  interfere = ({ method = "", url = "" }, response) => {
    const [part] = /partNumber=\d+/.exec(url) ?? [];
    seen.push(part === undefined ? method : "part");
    if (part === undefined) return "forward";
    void broken.promise.then(() => response.writeHead(503).end());
    // Two parts are on their way when the content breaks.
    if (parts.add(part).size === 2) {
      content.destroy(new Error("the connection broke"));
      broken.resolve();
    }
    return "keep";
  };
  await expect(throughLine.write(newKey(), content)).rejects.toThrow("the connection broke");
  expect(seen.filter((each) => each === "part").length).toBeGreaterThan(2);
  // The write, its two parts with every attempt, its end, and the object that may be complete.
  expect(seen.filter((each) => each !== "part")).toEqual(["POST", "DELETE", "DELETE"]);
  expect(seen.slice(-2)).toEqual(["DELETE", "DELETE"]);
});

test("does not wait for an endpoint that never answers", async () => {
  interfere = () => "keep";
  await expect(impatient.write(newKey(), Readable.from([randomBytes(10)]))).rejects.toMatchObject({
    name: "TimeoutError",
  });
  await expect(impatient.read(newKey())).rejects.toMatchObject({ name: "TimeoutError" });
});

test("says that an endpoint cannot be reached", async () => {
  const nowhere = new S3Store({ ...bucket, endpoint: "http://127.0.0.1:1" });
  await expect(nowhere.write(newKey(), Readable.from([randomBytes(10)]))).rejects.toThrow(/ECONNREFUSED/);
});

test("lists more than one page", { tags: ["long"] }, async () => {
  const keys = Array.from({ length: 1_010 }, newKey);
  for (let start = 0; start < keys.length; start += 50) {
    const some = keys.slice(start, start + 50);
    await Promise.all(some.map((key) => direct.write(key, Readable.from([Buffer.from("x")]))));
  }
  const listed = await listKeys(direct);
  expect(listed).toEqual(expect.arrayContaining(keys));
});

function newKey(): string {
  return blobKey(randomUUID(), randomUUID());
}

function carry(asked: IncomingMessage, response: ServerResponse): void {
  const decision = interfere(asked, response);
  if (decision === "keep") {
    asked.resume();
    return;
  }
  const { hostname, port } = new URL(bucket.endpoint);
  // Keeps the headers, because the signature covers the host that the client named.
  const options = { hostname, port, method: asked.method, path: asked.url, headers: asked.headers };
  const forwarded = request(options, (answer) => {
    if (decision === "lose the answer") {
      answer.resume().on("end", () => response.destroy());
      return;
    }
    response.writeHead(answer.statusCode ?? 500, answer.headers);
    answer.pipe(response);
  });
  forwarded.on("error", () => response.destroy());
  asked.pipe(forwarded);
}
