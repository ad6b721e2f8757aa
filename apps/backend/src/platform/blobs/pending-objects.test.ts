import { randomBytes, randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { waitUntil } from "@svc/testing/wait-until";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { startFixtureBackend } from "../../../testing/fixture-backend.ts";
import type { TestBackend, TestTenant } from "../../../testing/test-backend.ts";
import { listKeys } from "../../../testing/test-stores.ts";
import type { Written } from "./blob-store.ts";
import { FileSystemStore } from "./file-system-store.ts";
import { PendingObjects } from "./pending-objects.ts";

/** A real store that counts its writes, and finishes a write only when told to. */
class WatchedStore extends FileSystemStore {
  writes = 0;
  mayEnd = Promise.resolve();

  override async write(key: string, content: Readable): Promise<Written> {
    this.writes += 1;
    const written = await super.write(key, content);
    await this.mayEnd;
    return written;
  }
}

let folder: string;
let store: WatchedStore;
let backend: TestBackend;
/** The same with a short time limit, for the call whose write does not end. */
let hurried: TestBackend;
let tenant: TestTenant;
let admin: pg.Client;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "svc-pending-"));
  store = new WatchedStore(folder);
  backend = await startFixtureBackend({ blobStore: store });
  hurried = await startFixtureBackend({
    testDatabase: backend.testDatabase,
    folder: backend.folder,
    blobStore: store,
    limits: { commandMillis: 1_000 },
  });
  tenant = await backend.addTenant();
  admin = new pg.Client({ connectionString: backend.testDatabase.adminUrl });
  await admin.connect();
  await admin.query(`
    create sequence app.attempt;
    grant usage on sequence app.attempt to svc_app;
    create function app.fail() returns trigger language plpgsql as $$
    begin
      if tg_argv[0] = '40P01' and nextval('app.attempt') > 1 then return new; end if;
      raise exception 'as the test wants it' using errcode = tg_argv[0];
    end $$;
    create trigger refused after insert on app.note
      for each row when (new.text = 'refused') execute function app.fail('P0001');
    create trigger victim after insert on app.note
      for each row when (new.text = 'victim') execute function app.fail('40P01');
    create constraint trigger late after insert on app.note deferrable initially deferred
      for each row when (new.text = 'late') execute function app.fail('P0001')`);
});
afterAll(async () => {
  await admin.end();
  await hurried.close();
  await backend.close();
  await rm(folder, { recursive: true });
});
beforeEach(async () => {
  for (const key of await listKeys(store)) await store.remove(key);
  await admin.query("delete from app.blob");
  store.writes = 0;
});

test("a commit adopts what was written for it, readable whole or in part", async () => {
  const bytes = randomBytes(100_000);
  const { data } = await attach(bytes, "kept");
  expect(await listKeys(store)).toHaveLength(1);
  expect((await download(data.id)).equals(bytes)).toBe(true);
  expect((await download(data.id, "bytes=10-19")).equals(bytes.subarray(10, 20))).toBe(true);
});

test("removes the second object of content that was sent twice", async () => {
  const bytes = randomBytes(1_000);
  const { data } = await attach(bytes, "first");
  const kept = await listKeys(store);
  await attach(bytes, "second");
  expect(store.writes).toBe(2);
  expect(await listKeys(store)).toEqual(kept);
  expect((await download(data.id)).equals(bytes)).toBe(true);
});

test("a preview writes nothing", async () => {
  const { status } = await attach(randomBytes(1_000), "preview", { line: ["--dry-run"] });
  expect(status).toBe(200);
  expect([store.writes, await listKeys(store)]).toEqual([0, []]);
  expect((await admin.query("select from app.blob")).rowCount).toBe(0);
});

test("a command that fails leaves no object", async () => {
  const { status } = await backend.whileBroken(() => attach(randomBytes(1_000), "refused"));
  expect(status).toBe(500);
  expect([store.writes, await listKeys(store)]).toEqual([1, []]);
});

test("a replayed answer leaves no second object", async () => {
  const headers = { "idempotency-key": randomUUID() };
  const bytes = randomBytes(1_000);
  const first = await attach(bytes, "once", { headers });
  const again = await first.repeat();
  expect(again.data).toEqual(first.data);
  expect(await listKeys(store)).toHaveLength(1);
  expect((await download(first.data.id)).equals(bytes)).toBe(true);
});

test("a retried transaction finds what was written before", async () => {
  const bytes = randomBytes(1_000);
  const { data } = await attach(bytes, "victim");
  expect((await admin.query("select last_value::int from app.attempt")).rows).toEqual([{ last_value: 2 }]);
  expect(store.writes).toBe(1);
  expect((await download(data.id)).equals(bytes)).toBe(true);
});

test("a failed commit removes nothing, because it may have happened if only its answer was lost", async () => {
  const { status } = await backend.whileBroken(() => attach(randomBytes(1_000), "late"));
  expect(status).toBe(500);
  expect(await listKeys(store)).toHaveLength(1);
});

test("a call that timed out on a slow store leaves no object", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  store.mayEnd = promise;
  const { status } = await attach(randomBytes(1_000), "slow", { at: hurried });
  expect(status).toBe(504);
  resolve();
  await waitUntil(async () => expect(await listKeys(store)).toEqual([]));
  expect((await admin.query("select from app.blob")).rowCount).toBe(0);
});

test("a write ends with the call that it is for", async () => {
  const controller = new AbortController();
  const pending = new PendingObjects(store, tenant.id, controller.signal);
  const content = () => Readable.from(endless(() => controller.abort()));
  const writing = pending.write({ size: 1e12, sha256: "0".repeat(64), read: content });
  await expect(writing).rejects.toMatchObject({ name: "AbortError" });
  expect(await store.removeUnfinished(new Date(Date.now() + 60_000))).toBe(0);
});

/** Calls back once the writer has taken half a megabyte. */
async function* endless(callBack: () => void) {
  for (let sent = 0; ; sent += 1) {
    if (sent === 50) callBack();
    yield randomBytes(10_000);
  }
}

interface Attached {
  status: number;
  data: { id: string };
  /** Repeats the request, as after a lost answer. */
  repeat(): Promise<Attached>;
}

/** Acts like a client: asks, sends, repeats. */
async function attach(
  bytes: Buffer,
  name: string,
  {
    line = [],
    headers = {},
    at = backend,
  }: { line?: string[]; headers?: Record<string, string>; at?: TestBackend } = {},
): Promise<Attached> {
  const argv = ["notes", "attach", "file.bin", "--name", name, ...line];
  const asked = await backend.server.inject({
    method: "POST",
    url: "/api/v1/cli",
    headers: authorization(),
    payload: { argv },
  });
  const { uploads, continuation } = asked.json();
  await backend.server.inject({
    method: "PATCH",
    url: uploads[0].href,
    headers: {
      ...authorization(),
      "content-type": "application/offset+octet-stream",
      "upload-offset": "0",
    },
    payload: bytes,
  });
  const call = async (): Promise<Attached> => {
    const { status, body } = await at.type(tenant.token, argv, { request: { continuation }, headers });
    return { status, data: body.data as Attached["data"], repeat: call };
  };
  return call();
}

async function download(id: string, range?: string): Promise<Buffer> {
  const { body } = await backend.type(tenant.token, `notes fetch ${id}`);
  const { href } = body as unknown as { href: string };
  const answer = await backend.server.inject({
    url: href,
    headers: { ...authorization(), ...(range ? { range } : {}) },
  });
  return buffer(Readable.from([answer.rawPayload]));
}

function authorization() {
  return { authorization: `Bearer ${tenant.token}` };
}

test("a call aborted before its content is written does not end the process", async () => {
  const folder = await mkdtemp(join(tmpdir(), "svc-given-up-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, "content");
  await writeFile(path, "hello");
  const givenUp = AbortSignal.abort(new Error("The caller disconnected"));
  const objects = new PendingObjects(new FileSystemStore(folder), randomUUID(), givenUp);
  const content = { sha256: "", size: 5, read: () => createReadStream(path) };
  await expect(objects.write(content)).rejects.toThrow(/aborted/);
});
