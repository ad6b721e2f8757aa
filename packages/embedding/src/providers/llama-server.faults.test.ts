import { bringLocalModel, embeddingModelMillis, findLlamaServer } from "@svc/testing/embedding-models";
import { beforeAll, describe, expect, it } from "vitest";
import { cosine } from "../../testing/cosine.ts";
import { embedderContract } from "../../testing/embedder-contract.ts";
import { createEmbedder, type EmbedderSettings } from "../create-embedder.ts";
import type { Embedder } from "../embedder.ts";
import { localModelFolder } from "../local/local-model.ts";

/** Its 384 dimensions and 512 tokens are its own; it ignores `dimensions`, and fails over longer texts. */
let settings: EmbedderSettings;
let exact: Embedder;
let byBytes: Embedder;
beforeAll(async () => {
  const url = `${await findLlamaServer()}/v1`;
  await bringLocalModel();
  settings = {
    kind: "openai",
    url,
    model: "minilm",
    dimensions: 384,
    maxTokens: 512,
    timeoutMs: 240_000,
  };
  exact = await createEmbedder({ ...settings, modelFolder: localModelFolder() });
  byBytes = await createEmbedder(settings);
}, embeddingModelMillis);

const options = { purpose: "document", signal: new AbortController().signal } as const;

describe("llama-server, with the model's tokeniser at hand", () => {
  embedderContract(() => exact);
});

describe("llama-server, cut by bytes", () => {
  embedderContract(() => byBytes);
});

it("agrees with the local embedder, which has the same model in eight bits", async () => {
  const local = await createEmbedder({ kind: "local" });
  const texts = ["How do I get my money back?", "The volcano erupted twice last winter. ".repeat(10), "返金"];
  const [ours, theirs] = [await local.embed(texts, options), await exact.embed(texts, options)];
  await local.close?.();
  for (const [index, vector] of ours.vectors.entries()) {
    expect(cosine(vector, theirs.vectors[index])).toBeGreaterThan(0.97);
  }
  expect(ours.tokens).toBe(theirs.tokens);
});

it("refuses 384 dimensions from a server that ignores the request for 768", async () => {
  const { dimensions: _, ...asking } = settings;
  const embedder = await createEmbedder(asking);
  await expect(embedder.embed(["refund"], options)).rejects.toMatchObject({
    kind: "unusable",
    message: expect.stringContaining("384 dimensions instead of 768"),
  });
});

it("distinguishes a text that is too long for the server, which answers 500, from a failing server", async () => {
  const embedder = await createEmbedder({ ...settings, maxTokens: 8_191 });
  await expect(embedder.embed(["refund ".repeat(1_000)], options)).rejects.toMatchObject({
    kind: "too-long",
    status: 500,
  });
});

it("recognises a wrong address", async () => {
  const embedder = await createEmbedder({ ...settings, url: `${settings.url}/nowhere` });
  await expect(embedder.embed(["refund"], options)).rejects.toMatchObject({ kind: "unusable", status: 404 });
});
