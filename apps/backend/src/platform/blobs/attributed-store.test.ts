import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { toProblemError } from "../../surfaces/http/problem-answer.ts";
import { originOf } from "../process/dependency.ts";
import { AttributedStore } from "./attributed-store.ts";
import { type BlobStore, blobKey } from "./blob-store.ts";
import { FileSystemStore } from "./file-system-store.ts";
import { S3Store } from "./s3-store.ts";

const key = () => blobKey(randomUUID(), randomUUID());
const content = () => Readable.from([Buffer.from("hello")]);
const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => {
      throw new Error("it did not fail");
    },
    (error: unknown) => error,
  );

/** Every way to use a store. */
const uses: Record<string, (store: BlobStore) => Promise<unknown>> = {
  write: (store) => store.write(key(), content()),
  read: (store) => store.read(key()),
  remove: (store) => store.remove(key()),
  list: async (store) => {
    for await (const _key of store.list(new Date())) return;
  },
  check: (store) => store.check(AbortSignal.timeout(5_000)),
  removeUnfinished: (store) => store.removeUnfinished(new Date()),
};

process.env.AWS_ACCESS_KEY_ID ??= "key";
process.env.AWS_SECRET_ACCESS_KEY ??= "secret";

function s3At(port: number): AttributedStore {
  const bucket = { bucket: "b", region: "us-east-1", endpoint: `http://127.0.0.1:${port}` };
  return new AttributedStore(new S3Store(bucket, { answerMillis: 100 }));
}

test.for(Object.keys(uses))("an S3 that nobody listens at is the store's outage: %s", async (use) => {
  const error = await failureOf((uses[use] as (store: BlobStore) => Promise<unknown>)(s3At(1)));
  expect(originOf(error)).toBe("store");
  expect(toProblemError(error)).toMatchObject({
    code: "unavailable",
    message: "The storage for file contents cannot be reached.",
  });
});

test.for([
  ["does not answer", () => {}],
  ["answers 503", (response) => response.writeHead(503).end()],
  ["refuses our key", (response) => response.writeHead(403).end("<Error><Code>AccessDenied</Code></Error>")],
] satisfies [string, (response: import("node:http").ServerResponse) => unknown][])(
  "so is an S3 that %s",
  async ([, answer]) => {
    const server = createServer((_request, response) => void answer(response));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => {
      server.close();
      server.closeAllConnections();
    });
    const store = s3At((server.address() as AddressInfo).port);
    expect(toProblemError(await failureOf(store.read(key())))).toMatchObject({
      code: "unavailable",
      message: "The storage for file contents cannot be reached.",
    });
  },
);

test("a content that is missing is our mistake, and still the store's error", async () => {
  const store = new AttributedStore(new FileSystemStore("/nowhere"));
  const error = await failureOf(store.read(key()));
  expect(originOf(error)).toBe("store");
  expect(toProblemError(error).code).toBe("internal");
});

test.for(["ENOSPC", "EDQUOT"])("a disk that answers %s is full", async (code) => {
  const full = { write: () => Promise.reject(Object.assign(new Error(code), { code })) };
  const store = new AttributedStore(full as unknown as BlobStore);
  expect(toProblemError(await failureOf(store.write(key(), content())))).toMatchObject({
    code: "unavailable",
    message: "The storage for file contents is full.",
  });
});

test("a store that breaks while it is read says so too", async () => {
  const breaking = {
    read: async () =>
      new Readable({
        read() {
          this.destroy(new Error("cut"));
        },
      }),
  };
  const store = new AttributedStore(breaking as unknown as BlobStore);
  expect(originOf(await failureOf(buffer(await store.read(key()))))).toBe("store");
});

test.for([
  ["breaks", new Error("the caller's line broke")],
  ["ends early", undefined],
] as const)("a sender whose content %s is not the store's failure", async ([, reason]) => {
  const folder = `/tmp/svc-attributed-${randomUUID()}`;
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const store of [new FileSystemStore(folder), new S3Store({ bucket: "b", region: "r" })]) {
    const sent = new Readable({
      read() {
        this.destroy(reason);
      },
    });
    expect(originOf(await failureOf(new AttributedStore(store).write(key(), sent)))).toBeUndefined();
  }
});
