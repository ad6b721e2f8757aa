import { afterAll, beforeAll, expect, test } from "vitest";
import { ConceptEmbedder } from "../../../../testing/embedders/concept-embedder.ts";
import { WordEmbedder } from "../../../../testing/embedders/word-embedder.ts";
import type { FilesTown } from "../../../../testing/files-test.ts";
import { meaningTown, takeOneTurn } from "../../../../testing/meaning-test.ts";
import { ask } from "../../../../testing/search-test.ts";
import { TestBackend } from "../../../../testing/test-backend.ts";
import { priced } from "../../../platform/search/embedders.ts";

const words = new WordEmbedder();
const embedders = [words.priced, priced(new ConceptEmbedder(), "0")];
let backend: TestBackend;

beforeAll(async () => {
  backend = await TestBackend.start({ embedders, queryVectors: { waitMillis: 300_000, restMillis: 0 } });
});
afterAll(() => backend.close());

/** Often enough that these words decide, and not what all texts share for this model. */
const rain = "rain rain rain rain";

const compare = (town: FilesTown) =>
  backend.run<{ active: string; other: string; items: unknown[] }>(town.tenant.token, "embeddings compare");

test("shows what each of two models finds for shared queries, and for nobody else's", {
  tags: ["long"],
}, async () => {
  const town = await meaningTown(backend);
  await town.put("/car.txt", "the car");
  await town.put("/automobile.txt", "an automobile");
  await takeOneTurn(town, embedders);
  expect(await backend.type(town.tenant.token, "embeddings compare")).toMatchObject({
    status: 409,
    body: { detail: "There is no second model to compare with." },
  });
  const other = await town.person("Rin", "viewer");
  await ask(town, town.tenant.token, "Car car car car");
  await ask(town, other, rain);
  await backend.run(town.tenant.token, "embeddings adopt concepts");
  await takeOneTurn(town, embedders);
  await expect
    .poll(() => compare(town))
    .toEqual({
      active: "words",
      other: "concepts",
      items: [
        { query: "car car car car", people: 1, same: 1, activeOnly: [], otherOnly: ["automobile.txt"] },
      ],
    });
  await ask(town, town.owner, rain);
  await expect
    .poll(async () => (await compare(town)).items)
    .toEqual([
      { query: rain, people: 2, same: 0, activeOnly: [], otherOnly: [] },
      expect.objectContaining({ query: "car car car car" }),
    ]);
  await backend.run(town.tenant.token, "embeddings switch");
  expect(await compare(town)).toMatchObject({ active: "concepts", other: "words" });
});

test("is for administrators", async () => {
  const town = await meaningTown(backend);
  expect(await backend.type(town.owner, "embeddings compare")).toMatchObject({ status: 403 });
});
