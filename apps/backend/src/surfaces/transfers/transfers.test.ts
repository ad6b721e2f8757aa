import { createHash, randomBytes } from "node:crypto";
import { get } from "node:http";
import { ReadableStream } from "node:stream/web";
import { Problem } from "@svc/protocol/problem";
import { waitUntil } from "@svc/testing/wait-until";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startFixtureBackend } from "../../../testing/fixture-backend.ts";
import { HttpCaller, reprDigest } from "../../../testing/processes/http-caller.ts";
import { RetainedMemory } from "../../../testing/retained-memory.ts";
import type { TestBackend, TestTenant } from "../../../testing/test-backend.ts";

const megabyte = 1024 * 1024;
const uploadBytes = 220 * megabyte;
let backend: TestBackend;
/** The same, where every command runs out of time. */
let hurried: TestBackend;
let address: string;
let tenant: TestTenant;
let caller: HttpCaller;
let log: string;

beforeAll(async () => {
  backend = await startFixtureBackend({
    limits: { uploadBytes },
    logTo: {
      write: (line) => {
        log += line;
      },
    },
  });
  address = await backend.server.listen({ host: "127.0.0.1", port: 0 });
  hurried = await startFixtureBackend({
    testDatabase: backend.testDatabase,
    folder: backend.folder,
    limits: { bodyMillis: 1, commandMillis: 1 },
  });
  await hurried.server.listen({ host: "127.0.0.1", port: 0 });
});
afterAll(async () => {
  await hurried.close();
  await backend.close();
});
beforeEach(async () => {
  log = "";
  tenant = await backend.addTenant();
  caller = new HttpCaller(address, tenant.token);
});

const argv = ["notes", "attach", "./film.mov"];

describe("an upload", () => {
  async function finish(continuation: string) {
    return (await caller.post({ argv, continuation })).body.data as { size: number; sha256: string };
  }

  test("resumes after an interruption at the offset from HEAD, and is complete at the end", async () => {
    const content = randomBytes(5 * megabyte);
    const { href, continuation } = await caller.askToSend(argv);
    expect(await caller.offsetOf(href)).toBe(0);

    const cut = sendAndHang(href, 0, content.subarray(0, 2 * megabyte));
    await waitUntil(async () => expect(await caller.offsetOf(href)).toBeGreaterThan(megabyte));
    cut.abort();

    // Bytes in transit during the interruption may still arrive: a client that is told so asks again.
    const answer = await waitUntil(async () => {
      const offset = await caller.offsetOf(href);
      expect(offset).toBeLessThanOrEqual(2 * megabyte);
      const sent = await caller.patch(href, offset, content.subarray(offset), {
        headers: { "repr-digest": reprDigest(content) },
      });
      expect(sent.status).toBe(204);
      return sent;
    });
    expect(answer.headers.get("upload-offset")).toBe(String(content.length));
    expect(await finish(continuation)).toEqual(expect.objectContaining(facts(content)));
    expect(log).not.toContain("unexpected error");
  });

  test("can come in many pieces, each longer than the body limit", async () => {
    const content = randomBytes(6 * megabyte);
    const { href, continuation } = await caller.askToSend(argv);
    for (let offset = 0; offset < content.length; offset += 2 * megabyte) {
      const answer = await caller.patch(href, offset, content.subarray(offset, offset + 2 * megabyte));
      expect(answer.status).toBe(204);
    }
    expect(await finish(continuation)).toEqual(expect.objectContaining(facts(content)));
  });

  test("at a wrong offset is refused, and what has arrived stays unchanged", async () => {
    const { href } = await caller.askToSend(argv);
    await caller.patch(href, 0, "12345");
    for (const offset of [0, 4, 6]) {
      const answer = await caller.patch(href, offset, "xxx");
      expect(answer.status).toBe(409);
      expect(Problem.parse(await answer.json()).detail).toContain("continues at 5");
    }
    expect(await caller.offsetOf(href)).toBe(5);
  });

  test.each(["", "-1", "1.5", "1e3", "0x1", "abc", "99999999999999999999"])(
    "with the offset %j is refused",
    async (offset) => {
      const { href } = await caller.askToSend(argv);
      expect((await caller.patch(href, offset, "xxx")).status).toBe(400);
      expect(await caller.offsetOf(href)).toBe(0);
    },
  );

  test.each([
    ["application/json", 413],
    ["text/plain", 413],
    ["application/octet-stream", 415],
  ])("sent as %s is refused before it is read into memory", async (type, status) => {
    const { href } = await caller.askToSend(argv);
    const answer = await caller.patch(href, 0, `"${"x".repeat(2 * megabyte)}"`, {
      headers: { "content-type": type },
    });
    expect(answer.status).toBe(status);
    expect(await caller.offsetOf(href)).toBe(0);
  });

  test("above the maximum file size is refused, and nothing of the piece is kept", {
    tags: ["long"],
  }, async () => {
    const small = await startFixtureBackend({ limits: { uploadBytes: megabyte } });
    try {
      const where = await small.server.listen({ host: "127.0.0.1", port: 0 });
      const sender = new HttpCaller(where, (await small.addTenant()).token);
      const { href, maxBytes } = await sender.askToSend(argv);
      expect(maxBytes).toBe(megabyte);
      expect((await sender.patch(href, 0, "x".repeat(60))).status).toBe(204);
      for (const tooMuch of [megabyte - 59, 20 * megabyte]) {
        const answer = await sender.patch(href, 60, new Uint8Array(tooMuch));
        expect(answer.status).toBe(413);
        expect(Problem.parse(await answer.json())).toMatchObject({ code: "too_large", exitCode: 23 });
        expect(await sender.offsetOf(href)).toBe(60);
      }
      expect((await sender.patch(href, 60, new Uint8Array(megabyte - 60))).status).toBe(204);
    } finally {
      await small.close();
    }
  });

  test("that does not match its digest is refused and deleted", async () => {
    const { href, continuation } = await caller.askToSend(argv);
    const answer = await caller.patch(href, 0, "what arrived", {
      headers: { "repr-digest": reprDigest("what was sent") },
    });
    expect(Problem.parse(await answer.json())).toMatchObject({ code: "digest_mismatch", exitCode: 22 });
    expect(await caller.offsetOf(href)).toBe(0);
    expect((await caller.post({ argv, continuation })).body.kind).toBe("upload");
  });

  test("with a malformed digest is refused", async () => {
    const { href } = await caller.askToSend(argv);
    const answer = await caller.patch(href, 0, "x", { headers: { "repr-digest": "md5=:abc:" } });
    expect(answer.status).toBe(400);
  });

  test("is only for the actor who asked", async () => {
    const { href } = await caller.askToSend(argv);
    const colleague = await tenant.addPerson("Rin");
    const stranger = await backend.addTenant();
    for (const { token } of [colleague, stranger]) {
      const other = new HttpCaller(address, token);
      expect((await other.patch(href, 0, "x")).status).toBe(404);
      expect((await other.fetch(href, { method: "HEAD" })).status).toBe(404);
    }
    expect(await caller.offsetOf(href)).toBe(0);
  });

  test("has an address that cannot be forged", async () => {
    const { href } = await caller.askToSend(argv);
    for (const bad of [
      `${href}x`,
      "/api/v1/uploads/x",
      "/api/v1/uploads/a.b.c",
      href.replace(/\.[^.]+$/, "."),
    ]) {
      expect((await caller.patch(bad, 0, "x")).status).toBe(404);
    }
  });

  test("is taken over by a newer connection if the older one hangs", async () => {
    const content = randomBytes(3 * megabyte);
    const { href, continuation } = await caller.askToSend(argv);
    const hanging = sendAndHang(href, 0, content.subarray(0, megabyte));
    await waitUntil(async () => expect(await caller.offsetOf(href)).toBe(megabyte));
    expect((await caller.patch(href, megabyte, content.subarray(megabyte))).status).toBe(204);
    await expect(hanging.ended).rejects.toThrow();
    expect(await finish(continuation)).toEqual(expect.objectContaining(facts(content)));
  });

  test("from several connections at once never mixes their bytes", async () => {
    for (let round = 0; round < 3; round += 1) {
      const { href, continuation } = await caller.askToSend(argv);
      const letters = ["a", "b", "c", "d", "e", "f"];
      const answers = await Promise.allSettled(
        letters.map((letter) => caller.patch(href, 0, Buffer.alloc(2 * megabyte, letter))),
      );
      const accepted = letters.filter((_, index) => {
        const answer = answers[index];
        return answer?.status === "fulfilled" && answer.value.status === 204;
      });
      expect(accepted.length).toBeLessThanOrEqual(1);
      const { size, sha256 } = await finish(continuation);
      const possible = (accepted.length === 1 ? accepted : letters).map(
        (letter) => facts(Buffer.alloc(size, letter)).sha256,
      );
      expect(possible).toContain(sha256);
      if (accepted.length === 1) expect(size).toBe(2 * megabyte);
    }
  });

  /** Sends a part of a body and then nothing, like a connection that is lost without notice. */
  function sendAndHang(href: string, offset: number, part: Uint8Array) {
    const controller = new AbortController();
    const body = new ReadableStream({
      start(queue) {
        for (let at = 0; at < part.length; at += 65_536) queue.enqueue(part.subarray(at, at + 65_536));
      },
    });
    const ended = caller.patch(href, offset, body, { signal: controller.signal });
    ended.catch(() => {});
    return { ended, abort: () => controller.abort() };
  }
});

describe("a download", () => {
  const text = "0123456789";
  let href: string;

  beforeEach(async () => {
    href = await attach(text);
  });

  async function attach(
    content: string,
    options: { name?: string; mediaType?: string } = {},
  ): Promise<string> {
    const { name, mediaType } = options;
    const line = [...argv, ...(name === undefined ? [] : [`--name=${name}`])];
    const { id } = (await caller.send(line, content)).body.data as { id: string };
    const fetching = [
      "notes",
      "fetch",
      id,
      ...(mediaType === undefined ? [] : [`--media-type=${mediaType}`]),
    ];
    const { body } = await caller.post({ argv: fetching });
    expect(body.kind).toBe("file");
    return body.href;
  }

  async function download(headers: Record<string, string> = {}) {
    const answer = await caller.fetch(href, { headers });
    return { status: answer.status, headers: answer.headers, body: await answer.text() };
  }

  test("is announced with name, size and digest, and arrives complete with the same", async () => {
    const { status, headers, body } = await download();
    expect([status, body]).toEqual([200, text]);
    expect(headers.get("content-length")).toBe("10");
    expect(headers.get("content-type")).toBe("text/plain");
    expect(headers.get("repr-digest")).toBe(reprDigest(text));
    expect(headers.get("accept-ranges")).toBe("bytes");
    expect(headers.get("etag")).toBe(`"${facts(text).sha256}"`);
    expect(headers.get("content-disposition")).toBe("attachment; filename*=UTF-8''.%2Ffilm.mov");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
  });

  test.each([
    ["the first bytes", "bytes=0-3", "0123", "bytes 0-3/10"],
    ["the middle", "bytes=4-6", "456", "bytes 4-6/10"],
    ["all from one place on", "bytes=7-", "789", "bytes 7-9/10"],
    ["the last bytes", "bytes=-2", "89", "bytes 8-9/10"],
    ["more than there is", "bytes=8-100", "89", "bytes 8-9/10"],
  ])("can be of %s", async (_what, range, expected, contentRange) => {
    const { status, headers, body } = await download({ range });
    expect([status, body]).toEqual([206, expected]);
    expect(headers.get("content-range")).toBe(contentRange);
    expect(headers.get("content-length")).toBe(String(expected.length));
    // The digest of the whole file, to check what was assembled from pieces.
    expect(headers.get("repr-digest")).toBe(reprDigest(text));
  });

  test("from beyond the end is 416 with the size", async () => {
    const { status, headers, body } = await download({ range: "bytes=10-" });
    expect(status).toBe(416);
    expect(headers.get("content-range")).toBe("bytes */10");
    expect(Problem.parse(JSON.parse(body))).toMatchObject({ code: "range_not_satisfiable", exitCode: 23 });
  });

  test("resumes with If-Range if the file is the same, and restarts if it is another", async () => {
    const { headers } = await download();
    const same = await download({ range: "bytes=5-", "if-range": headers.get("etag") ?? "" });
    expect([same.status, same.body]).toEqual([206, "56789"]);
    const another = await download({ range: "bytes=5-", "if-range": '"another"' });
    expect([another.status, another.body]).toEqual([200, text]);
    const beyond = await download({ range: "bytes=50-", "if-range": '"another"' });
    expect(beyond.status).toBe(200);
  });

  test("of an empty file is empty", async () => {
    href = await attach("");
    const { status, headers, body } = await download();
    expect([status, headers.get("content-length"), body]).toEqual([200, "0", ""]);
  });

  test("answers HEAD with the same headers", async () => {
    const answer = await caller.fetch(href, { method: "HEAD" });
    expect([answer.status, answer.headers.get("content-length")]).toEqual([200, "10"]);
    expect(answer.headers.get("repr-digest")).toBe(reprDigest(text));
  });

  test("is only for the actor who asked", async () => {
    for (const { token } of [await tenant.addPerson("Rin"), await backend.addTenant()]) {
      expect((await new HttpCaller(address, token).fetch(href)).status).toBe(404);
    }
    expect((await caller.fetch(`${href}x`)).status).toBe(404);
    expect((await fetch(new URL(href, address))).status).toBe(401);
  });

  test.each([
    'a"b.txt',
    "a\r\nx-evil: 1\r\n\r\n<script>",
    "../../etc/passwd",
    "a;b=c'd(e)*.txt",
    "売上 2026.xlsx",
    "\u202egnp.exe",
    "😀".repeat(200),
    " ",
    "a\u0001\u007f\u0085b",
  ])("with the name %j has a header that contains only that name", async (name) => {
    href = await attach(text, { name });
    const { status, headers, body } = await download();
    expect([status, body]).toEqual([200, text]);
    expect(headers.get("x-evil")).toBeNull();
    const disposition = headers.get("content-disposition") ?? "";
    expect(disposition).toMatch(/^attachment; filename\*=UTF-8''[\w.!#$&+^`|~%-]+$/);
    expect(decodeURIComponent(disposition.replace(/^.*''/, ""))).toBe(name);
  });

  test.each(["text/html\r\nx-evil: 1", "", "nonsense", "a/b; c=\u0001", `a/${"b".repeat(1_000)}`])(
    "with the media type %j is served as plain bytes",
    async (mediaType) => {
      href = await attach(text, { mediaType });
      const { status, headers } = await download();
      expect([status, headers.get("content-type")]).toEqual([200, "application/octet-stream"]);
      expect(headers.get("x-evil")).toBeNull();
    },
  );
});

test("a transfer can take longer than any command, as long as it progresses", {
  tags: ["long"],
}, async () => {
  const hasty = new HttpCaller(hurried.server.listeningOrigin, tenant.token);
  const runsOutOfTime = async () =>
    expect((await hasty.post({ argv: ["notes", "list"] })).body.code).toBe("timeout");
  // It would apply to every request, and is checked only every half minute: longer than a test should take.
  expect(hurried.server.server.requestTimeout).toBe(0);
  const { href, continuation } = await caller.askToSend(argv);
  const piece = randomBytes(2 * megabyte);
  let pieces = 0;
  const dripping = new ReadableStream({
    async pull(queue) {
      // In the middle of the transfer, a command begins and runs out of time.
      if (pieces === 5) {
        await waitUntil(async () => expect(await caller.offsetOf(href)).toBeGreaterThan(0));
        await runsOutOfTime();
      }
      if (pieces === 10) return queue.close();
      queue.enqueue(piece);
      pieces += 1;
    },
  });
  expect((await hasty.patch(href, 0, dripping)).status).toBe(204);
  const { body } = await caller.post({ argv, continuation });
  const { id, size } = body.data as { id: string; size: number };
  expect(size).toBe(20 * megabyte);

  const { body: file } = await caller.post({ argv: ["notes", "fetch", id] });
  const answer = await hasty.fetch(file.href);
  let read = 0;
  for await (const chunk of answer.body ?? []) {
    if (read === 0) await runsOutOfTime();
    read += (chunk as Uint8Array).length;
  }
  expect(read).toBe(20 * megabyte);
});

test("200 MB pass in both directions and hold no more memory than 50 MB", {
  tags: ["nightly"],
}, async () => {
  /** The most that is held while so much is sent and received again. */
  const mostRetained = async (size: number) => {
    const piece = randomBytes(megabyte);
    const digest = createHash("sha256");
    const { href, continuation } = await caller.askToSend(argv);
    await caller.patch(href, 0, piece);
    digest.update(piece);

    const memory = new RetainedMemory();
    const lookEvery = 4 * megabyte;
    let sent = megabyte;
    const rest = new ReadableStream({
      pull(queue) {
        if (sent === size) return queue.close();
        digest.update(piece);
        queue.enqueue(piece);
        sent += megabyte;
        if (sent % lookEvery === 0) memory.look();
      },
    });
    expect((await caller.patch(href, megabyte, rest)).status).toBe(204);
    const { body } = await caller.post({ argv, continuation });
    const { id, sha256 } = body.data as { id: string; sha256: string };
    expect(sha256).toBe(digest.digest("hex"));

    const { body: file } = await caller.post({ argv: ["notes", "fetch", id] });
    const received = createHash("sha256");
    await new Promise<void>((resolve, reject) => {
      const headers = { authorization: `Bearer ${tenant.token}` };
      get(new URL(file.href, address), { headers }, (answer) => {
        let unseen = 0;
        answer.on("data", (chunk: Buffer) => {
          received.update(chunk);
          unseen += chunk.length;
          if (unseen < lookEvery) return;
          unseen = 0;
          memory.look();
        });
        answer.on("end", resolve);
        answer.on("error", reject);
      }).on("error", reject);
    });
    expect(received.digest("hex")).toBe(sha256);
    return memory.most;
  };
  const usual = await mostRetained(50 * megabyte);
  expect(await mostRetained(200 * megabyte)).toBeLessThan(usual + 32 * megabyte);
});

function facts(content: string | Uint8Array): { size: number; sha256: string } {
  return { size: content.length, sha256: createHash("sha256").update(content).digest("hex") };
}
