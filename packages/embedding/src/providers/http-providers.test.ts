import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { inspect } from "node:util";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createEmbedder, type EmbedderSettings } from "../create-embedder.ts";

interface Seen {
  path: string | undefined;
  headers: IncomingMessage["headers"];
  body: Record<string, unknown>;
}

const key = "sk-very-secret";
const never = new AbortController().signal;
const query = { purpose: "query", signal: never } as const;
const document = { purpose: "document", signal: never } as const;

let seen: Seen[] = [];
let reply: (response: ServerResponse, request: Seen) => void | Promise<void>;
const server = createServer((request, response) => {
  let text = "";
  request.on("data", (chunk) => (text += chunk));
  request.on("end", () => {
    const last = { path: request.url, headers: request.headers, body: JSON.parse(text) };
    seen.push(last);
    void reply(response, last);
  });
});
let url: string;
beforeAll(async () => {
  await once(server.listen(0, "127.0.0.1"), "listening");
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/base/`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  seen = [];
});

/** How each of them puts texts into a request, and vectors into an answer. */
const speech = {
  openai: {
    path: "/base/embeddings",
    texts: ({ body }: Seen) => body.input as string[],
    answer: (vectors: unknown[]) => ({
      data: vectors.map((embedding, index) => ({ embedding, index })),
      usage: { prompt_tokens: 7, total_tokens: 7 },
    }),
    tokens: 7 as number | undefined,
    asks: { model: "m", encoding_format: "base64", dimensions: 768 } as object,
    header: { authorization: `Bearer ${key}` } as object,
  },
  gemini: {
    path: "/base/models/m:batchEmbedContents",
    texts: ({ body }: Seen) =>
      (body.requests as { content: { parts: { text: string }[] } }[]).map(
        ({ content }) => content.parts[0]?.text as string,
      ),
    answer: (vectors: unknown[]) => ({ embeddings: vectors.map((values) => ({ values })) }),
    tokens: undefined,
    asks: {
      requests: [{ model: "models/m", taskType: "RETRIEVAL_QUERY", outputDimensionality: 768 }],
    } as object,
    header: { "x-goog-api-key": key } as object,
  },
  ollama: {
    path: "/base/api/embed",
    texts: ({ body }: Seen) => body.input as string[],
    answer: (vectors: unknown[]) => ({ embeddings: vectors, prompt_eval_count: 7 }),
    tokens: 7,
    asks: { model: "m", truncate: true, dimensions: 768 } as object,
    header: { authorization: `Bearer ${key}` } as object,
  },
};

const vector = (dimensions: number, at = 0): number[] =>
  Array.from({ length: dimensions }, (_, index) => (index === at ? 3 : 0));
const json = (response: ServerResponse, body: unknown) => response.end(JSON.stringify(body));
const status =
  (code: number, body = "", headers = {}) =>
  (response: ServerResponse) =>
    void response.writeHead(code, headers).end(body);

describe.each(Object.keys(speech) as (keyof typeof speech)[])("%s", (kind) => {
  const { path, texts, answer, tokens, asks, header } = speech[kind];
  const create = (settings: Partial<EmbedderSettings> = {}) =>
    createEmbedder({ kind, url, key, model: "m", ...settings });
  const failure = async (settings: Partial<EmbedderSettings> = {}) =>
    await (await create(settings)).embed(["a text"], query).then(
      () => expect.unreachable("this was to fail"),
      (error: Error & { kind?: string; retryAfterMs?: number }) => error,
    );
  const answering = (make: (count: number) => unknown[]) => (response: ServerResponse, request: Seen) =>
    void json(response, answer(make(texts(request).length)));

  it("sends the provider's own request, and returns a vector of length 1", async () => {
    reply = answering(() => [vector(768, 5)]);
    const { vectors, tokens: counted } = await (await create()).embed(["a text"], query);
    expect(vectors).toEqual([Float32Array.from({ length: 768 }, (_, index) => (index === 5 ? 1 : 0))]);
    expect(counted).toBe(tokens);
    expect(seen).toMatchObject([{ path, body: asks, headers: header }]);
    expect(seen.map(texts)).toEqual([["a text"]]);
  });

  it("pads the vectors of a model with shorter ones, and does not ask for another length", async () => {
    reply = answering(() => [vector(384, 5)]);
    const embedder = await create({ dimensions: 384 });
    expect(embedder.model).toBe(`${kind}/m@384`);
    const { vectors } = await embedder.embed(["a text"], query);
    expect(vectors).toEqual([Float32Array.from({ length: 768 }, (_, index) => (index === 5 ? 1 : 0))]);
    expect(JSON.stringify(seen[0]?.body)).not.toMatch(/dimension/i);
  });

  it("sends many texts in requests that the provider accepts, and keeps their order", async () => {
    reply = (response, request) =>
      void json(response, answer(texts(request).map((text) => vector(768, Number(text)))));
    const embedder = await create();
    const size = embedder.textsPerRequest;
    const many = Array.from({ length: 2 * size + 1 }, (_, index) => String(index));
    const { vectors, tokens: counted } = await embedder.embed(many, document);
    expect(seen.map((request) => texts(request).length)).toEqual([size, size, 1]);
    expect(vectors.map((one) => one.indexOf(1))).toEqual(many.map(Number));
    expect(counted).toBe(tokens === undefined ? undefined : 3 * tokens);
  });

  it("cuts a text before it is sent, sends no half characters and no empty text", async () => {
    reply = answering((count) => Array.from({ length: count }, () => vector(768)));
    const embedder = await create({ maxTokens: 64 });
    await embedder.embed(["word ".repeat(1_000), `x${"😀".repeat(1_000)}`, "a\ud800b", " "], document);
    const [long, faces, half, blank] = texts(seen[0] as Seen);
    expect(embedder.countTokens("word ".repeat(1_000))).toBeGreaterThanOrEqual(5_000);
    expect(long).toBe("word ".repeat(12));
    expect(faces).toBe(`x${"😀".repeat(14)}`);
    expect([half, blank]).toEqual(["a\ufffdb", "."]);
  });

  it.each<[string, string, typeof reply]>([
    ["429", "busy", status(429, '{"error":{"message":"slow down"}}')],
    ["500", "unavailable", status(500, "oh no")],
    ["503", "unavailable", status(503)],
    ["400", "refused", status(400, '{"error":{"message":"what?"}}')],
    ["400 for a key", "unusable", status(400, '{"error":{"message":"API key not valid."}}')],
    ["401", "unusable", status(401)],
    ["403", "unusable", status(403)],
    ["404", "unusable", status(404)],
    ["a redirect", "unusable", status(307, "", { location: "/elsewhere" })],
    ["413", "too-long", status(413)],
    ["400 for too long", "too-long", status(400, '{"error":"input length exceeds the context length"}')],
    ["500 for too long", "too-long", status(500, '{"error":{"message":"input is too large to process"}}')],
    ["no answer", "unavailable", () => {}],
    ["half an answer", "unavailable", (response) => void response.write('{"data":[')],
    [
      "a broken connection",
      "unavailable",
      (response) => void response.writeHead(200).write("{", () => response.destroy()),
    ],
    ["HTML", "malformed", status(200, "<!doctype html><title>Sign in</title>")],
    ["nothing", "malformed", status(200)],
    ["null", "malformed", status(200, "null")],
    ["a number", "malformed", status(200, "7")],
    ["another object", "malformed", status(200, '{"object":"list"}')],
    ["384 dimensions", "unusable", answering(() => [vector(384)])],
    ["1,536 dimensions", "unusable", answering(() => [vector(1_536)])],
    ["no vector", "malformed", answering(() => [])],
    ["a vector too many", "malformed", answering(() => [vector(768), vector(768)])],
    ["null for a vector", "malformed", answering(() => [null])],
    ["null for a number", "malformed", answering(() => [vector(768).with(9, null as never)])],
    ["a string for a number", "malformed", answering(() => [vector(768).with(9, "1" as never)])],
    ["numbers beyond a float", "malformed", answering(() => [vector(768).with(9, 1e39)])],
    ["nothing but zeros", "malformed", answering(() => [vector(768).with(0, 0)])],
  ])("fails on %s: %s", async (what, expected, fault) => {
    reply = fault;
    // Only a server that never answers reaches it; nothing else may, even on a slow machine.
    const waits = what === "no answer" || what === "half an answer";
    const error = await failure({ timeoutMs: waits ? 300 : 60_000 });
    expect(error).toMatchObject({ name: "EmbeddingFailure", kind: expected });
    expect(seen).toHaveLength(1);
  });

  it("fails if nobody listens: unavailable", async () => {
    const gone = createServer().listen(0, "127.0.0.1");
    await once(gone, "listening");
    const { port } = gone.address() as AddressInfo;
    await once(gone.close(), "close");
    const error = await failure({ url: `http://127.0.0.1:${port}` });
    expect(error).toMatchObject({ kind: "unavailable", message: expect.stringContaining("ECONNREFUSED") });
  });

  it.each([
    ["seconds", "7", 7_000, 7_000],
    ["a date", new Date(Date.now() + 3_600_000).toUTCString(), 1_800_000, 3_600_000],
    ["a date of the past", "Wed, 21 Oct 2015 07:28:00 GMT", 0, 0],
  ])("passes on how long to wait, from %s", async (_what, value, least, most) => {
    reply = status(429, "", { "retry-after": value });
    const { retryAfterMs } = await failure();
    expect(retryAfterMs).toBeGreaterThanOrEqual(least);
    expect(retryAfterMs).toBeLessThanOrEqual(most);
  });

  it("does not read an answer of a gigabyte", async () => {
    const part = Buffer.alloc(1024 * 1024, " ");
    let sent = 0;
    reply = async (response) => {
      while (sent < 1024 && !response.destroyed) {
        sent += 1;
        await new Promise((resolve) => response.write(part, resolve));
      }
      response.end();
    };
    expect(await failure()).toMatchObject({ kind: "malformed" });
    expect(sent).toBeLessThan(256);
  });

  it("stops on request, even in the middle of an answer, and disconnects", async () => {
    const reason = new Error("enough");
    const stop = new AbortController();
    const hungUp = Promise.withResolvers<void>();
    reply = (response) => {
      response.on("close", hungUp.resolve);
      response.write("{", () => stop.abort(reason));
    };
    const embedder = await create();
    await expect(embedder.embed(["a text"], { purpose: "query", signal: stop.signal })).rejects.toBe(reason);
    await hungUp.promise;
  });

  it("reveals its key to nobody but the provider", async () => {
    // The second one would be cut in its middle.
    reply = (response, { headers }) =>
      status(401, `${inspect(headers).padEnd(295).slice(0, 295)}${key}`)(response);
    const error = await failure();
    expect(error.message).not.toContain(key.slice(0, 4));
    expect(inspect([error, await create()], { depth: 9, showHidden: true })).not.toContain(key);
    await expect(create({ key: `${key}\n` })).rejects.toThrow("a header cannot have");
    const refusal = await create({ key: `${key}\n` }).catch(String);
    expect(refusal).not.toContain(key);
  });

  it.each(["http://example.com/v1", "ftp://127.0.0.1", "http://127.0.0.1.example.com", "https://u:p@a", "x"])(
    "sends nothing to %s",
    async (elsewhere) => {
      await expect(create({ url: elsewhere })).rejects.toThrow(/not safe for|URL of the embedding provider/);
    },
  );

  it.each(["https://example.com/v1", "http://localhost:1/v1", "http://[::1]:1", "http://127.8.9.1"])(
    "may send to %s",
    async (there) => {
      await expect(create({ url: there })).resolves.toMatchObject({ model: `${kind}/m@768` });
    },
  );
});

describe("openai, in particular", () => {
  const create = () => createEmbedder({ kind: "openai", url, model: "m" });
  const base64 = (numbers: number[]) => Buffer.from(Float32Array.from(numbers).buffer).toString("base64");
  const answer = (data: unknown[]) => (response: ServerResponse) => void json(response, { data });

  it("reads base64, and puts vectors in the order of their texts", async () => {
    reply = answer([
      { index: 1, embedding: base64(vector(768, 1)) },
      { index: 0, embedding: base64(vector(768, 0)) },
    ]);
    const { vectors, tokens } = await (await create()).embed(["a", "b"], query);
    expect(vectors.map((one) => one.indexOf(1))).toEqual([0, 1]);
    expect(tokens).toBeUndefined();
    expect(seen[0]?.headers).not.toHaveProperty("authorization");
  });

  it.each([
    ["not a number", base64(vector(768).with(9, Number.NaN))],
    ["infinite", base64(vector(768).with(9, Number.POSITIVE_INFINITY))],
    ["too short by a byte", Buffer.alloc(768 * 4 - 1, 1).toString("base64")],
    ["no base64", "<>"],
  ])("fails on base64 that is %s", async (_what, embedding) => {
    reply = answer([{ index: 0, embedding }]);
    await expect((await create()).embed(["a"], query)).rejects.toMatchObject({ kind: "malformed" });
  });

  it("fails on two vectors for one text and none for the other", async () => {
    reply = answer([0, 0].map((index) => ({ index, embedding: vector(768) })));
    await expect((await create()).embed(["a", "b"], query)).rejects.toMatchObject({ kind: "malformed" });
  });

  it("splits by tokens too", async () => {
    reply = (response, { body }) =>
      json(response, speech.openai.answer((body.input as string[]).map(() => vector(768)))) && undefined;
    await (await create()).embed(Array(100).fill("x".repeat(8_000)), document);
    expect(seen.map(({ body }) => (body.input as string[]).length)).toEqual([37, 37, 26]);
  });

  it("prepends the model's prefix to a text, and counts it", async () => {
    reply = answer([{ embedding: vector(768) }]);
    const embedder = await createEmbedder({ kind: "openai", url, model: "google/embeddinggemma-300m" });
    await embedder.embed(["refunds"], query);
    await embedder.embed(["refunds"], document);
    expect(seen.map(({ body }) => body.input)).toEqual([
      ["task: search result | query: refunds"],
      ["title: none | text: refunds"],
    ]);
    expect(embedder.countTokens("refunds")).toBeGreaterThan("task: search result | query: refunds".length);
  });
});

it.each([{ dimensions: 1_024 }, { dimensions: 0 }, { maxTokens: 1.5 }, { timeoutMs: Number.NaN }])(
  "refuses the settings %o",
  async (settings) => {
    await expect(createEmbedder({ kind: "ollama", ...settings })).rejects.toThrow("a whole number");
  },
);
