import { afterAll, beforeAll, expect, test } from "vitest";
import { WordEmbedder } from "../../../../testing/embedders/word-embedder.ts";
import type { FilesTown } from "../../../../testing/files-test.ts";
import { meaningTown, takeOneTurn } from "../../../../testing/meaning-test.ts";
import { ask } from "../../../../testing/search-test.ts";
import { TestBackend } from "../../../../testing/test-backend.ts";

const embedders = ["first", "second", "third"].map((model) => new WordEmbedder({ model }).priced);
let backend: TestBackend;

beforeAll(async () => {
  backend = await TestBackend.start({ embedders });
});
afterAll(() => backend.close());

async function townWithFile(): Promise<FilesTown> {
  const town = await meaningTown(backend);
  await town.put("/car.txt", "the car");
  await takeOneTurn(town, embedders);
  return town;
}

/** The operation to undo it. */
async function type({ tenant }: FilesTown, line: string): Promise<string> {
  const { status, body } = await backend.type(tenant.token, line);
  expect(status, line).toBe(200);
  return String(body.operation);
}

async function models({ tenant }: FilesTown): Promise<string[]> {
  const { items } = await backend.run<{ items: { model: string; state: string; files: number }[] }>(
    tenant.token,
    "embeddings models",
  );
  return items.map(({ model, state, files }) => `${model} ${state} ${files}`);
}

test("a dropped model has no vectors after the next run, and undo brings them back", async () => {
  const town = await townWithFile();
  await type(town, "embeddings adopt second");
  await takeOneTurn(town, embedders);
  const adopted = await type(town, "embeddings adopt third");
  // It waits for a model that is not used for searches yet.
  expect((await ask(town, town.tenant.token, "the car")).semantic).toMatchObject({ embedded: 1, waiting: 0 });
  expect(await models(town)).toEqual(["first active 1", "second available 1", "third next 0"]);
  await takeOneTurn(town, embedders);
  expect(await models(town)).toEqual(["first active 1", "second available 0", "third next 1"]);
  await type(town, `operations undo ${adopted}`);
  await takeOneTurn(town, embedders);
  expect(await models(town)).toEqual(["first active 1", "second next 1", "third available 0"]);
  await type(town, "embeddings switch");
});

test("refuses to switch back to a model that lacks files, until it has them", async () => {
  const town = await townWithFile();
  await type(town, "embeddings adopt second");
  await takeOneTurn(town, embedders);
  const switched = await type(town, "embeddings switch");
  const adopted = await type(town, "embeddings adopt third");
  await takeOneTurn(town, embedders);
  const switchedAgain = await type(town, "embeddings switch");
  await takeOneTurn(town, embedders);
  expect(await models(town)).toEqual(["first available 0", "second previous 1", "third active 1"]);

  await type(town, `operations undo ${switchedAgain}`);
  await type(town, `operations undo ${adopted}`);
  expect(await backend.type(town.tenant.token, `operations undo ${switched}`)).toMatchObject({
    status: 409,
    body: { detail: "first no longer has vectors for 1 files." },
  });
  await takeOneTurn(town, embedders);
  await type(town, `operations undo ${switched}`);
  expect(await models(town)).toEqual(["first active 1", "second next 1", "third available 0"]);
});
