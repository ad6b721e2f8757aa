import { execFile } from "node:child_process";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { promisify } from "node:util";
import { bringLocalModel, embeddingModelMillis } from "@svc/testing/embedding-models";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { embedderContract } from "../../testing/embedder-contract.ts";
import { createEmbedder } from "../create-embedder.ts";
import type { Embedder } from "../embedder.ts";
import { tokenBound } from "../token-bound.ts";
import { localModel, localModelFolder } from "./local-model.ts";

let embedder: Embedder;
beforeAll(async () => {
  await bringLocalModel();
  embedder = await createEmbedder({ kind: "local" });
}, embeddingModelMillis);
afterAll(async () => await embedder.close?.());

const options = { purpose: "document", signal: new AbortController().signal } as const;

describe("the local embedder", () => {
  embedderContract(() => embedder);
});

it("counts tokens exactly, including those that are cut off", async () => {
  const { tokens } = await embedder.embed(["refunds, briefly"], options);
  expect(embedder.countTokens("refunds, briefly")).toBe(tokens);
  expect(embedder.countTokens("money ".repeat(1_000))).toBe(1_002);
  expect((await embedder.embed(["money ".repeat(1_000)], options)).tokens).toBe(256);
});

it("no text has more tokens than the bound without a tokeniser", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 60 }), (text) => {
      expect(embedder.countTokens(text)).toBeLessThanOrEqual(tokenBound(text));
    }),
    { numRuns: 500 },
  );
  // Of tokenisers that take compatibility characters apart.
  expect(tokenBound("ﷺ")).toBeGreaterThanOrEqual(18 + 2);
});

it("stops between two texts", async () => {
  const stop = new AbortController();
  const reason = new Error("enough");
  const texts = Array.from({ length: 500 }, () => "a text that takes a while ".repeat(40));
  const embedding = embedder.embed(texts, { purpose: "document", signal: stop.signal });
  setTimeout(() => stop.abort(reason), 50);
  await expect(embedding).rejects.toBe(reason);
});

it("waits for running work before it closes, and does nothing afterwards", async () => {
  const other = await createEmbedder({ kind: "local" });
  const under = other.embed(["first"], options);
  await Promise.all([other.close?.(), other.close?.()]);
  expect((await under).vectors).toHaveLength(1);
  await expect(other.embed(["second"], options)).rejects.toThrow("closed");
});

it("leaves the calling thread free while the model computes", { tags: ["long"] }, async () => {
  const texts = Array.from({ length: 16 }, () => "a text that takes a while ".repeat(40));
  let isOver = false;
  const embedding = embedder.embed(texts, options).finally(() => {
    isOver = true;
  });
  let turns = 0;
  for (; !isOver; turns += 1) await turn();
  await embedding;
  // A thread that computes takes a few turns for each text.
  expect(turns).toBeGreaterThan(100 * texts.length);
});

it("keeps no process alive, and ends cleanly if it was never closed", { tags: ["long"] }, async () => {
  const ask = `
    import { createEmbedder } from "../create-embedder.ts";
    const embedder = await createEmbedder({ kind: "local" });
    const options = { purpose: "document", signal: new AbortController().signal };
    console.log((await embedder.embed(["refunds"], options)).vectors.length);
    embedder.embed(Array(20).fill("refunds"), options);
    setTimeout(() => process.exit(), 1);
  `;
  const run = promisify(execFile);
  const idle = ask.split("\n").slice(0, 5).join("\n");
  for (const script of [ask, idle]) {
    const { stdout } = await run(process.execPath, ["--eval", script], {
      cwd: import.meta.dirname,
      timeout: 10 * 60_000,
    });
    expect(stdout).toBe("1\n");
  }
});

it("says how to download a missing model", async () => {
  const empty = await mkdtemp(join(tmpdir(), "svc-no-model-"));
  await expect(createEmbedder({ kind: "local", modelFolder: empty })).rejects.toThrow("npm run models:fetch");
  await rm(empty, { recursive: true });
});

it("fails if the weights are not a model", async () => {
  const folder = await mkdtemp(join(tmpdir(), "svc-bad-model-"));
  await cp(localModelFolder(), folder, { recursive: true });
  await writeFile(join(folder, localModel.weights), "not weights");
  await expect(createEmbedder({ kind: "local", modelFolder: folder })).rejects.toThrow(/protobuf/i);
  await rm(folder, { recursive: true });
});

it("names the optional package if it is not installed; the other embedders do not need it", async () => {
  const without = `
    import { registerHooks } from "node:module";
    registerHooks({
      resolve(name, context, next) {
        if (name !== "onnxruntime-node") return next(name, context);
        throw Object.assign(new Error("Cannot find package"), { code: "ERR_MODULE_NOT_FOUND" });
      },
    });
  `;
  const create = `
    import { createEmbedder } from "../create-embedder.ts";
    console.log((await createEmbedder({ kind: "openai", key: "k" })).model);
    console.log(await createEmbedder({ kind: "local" }).catch((error) => error.message));
  `;
  // Threads import it too.
  const preload = `--import=data:text/javascript,${encodeURIComponent(without)}`;
  const { stdout } = await promisify(execFile)(process.execPath, [preload, "--eval", create], {
    cwd: import.meta.dirname,
  });
  expect(stdout).toContain("openai/text-embedding-3-small@768");
  expect(stdout).toContain("needs the package onnxruntime-node");
});
