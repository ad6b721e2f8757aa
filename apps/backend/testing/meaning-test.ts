import { CoverageCache } from "@svc/search/inspecting/coverage";
import { test as base } from "vitest";
import { takeTurn } from "../src/features/embeddings/embed-files.ts";
import { Embedders, type PricedEmbedder, priced } from "../src/platform/search/embedders.ts";
import { ConceptEmbedder } from "./embedders/concept-embedder.ts";
import { FilesTown } from "./files-test.ts";
import { TestBackend } from "./test-backend.ts";
import { withWorker } from "./worker-test.ts";

interface MeaningFixtures {
  $file: { embedder: ConceptEmbedder; backend: TestBackend };
}

/** A backend with its own free model. */
const withModel = base.extend<MeaningFixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the fixture's needs off this pattern
  embedder: [async ({}, use) => use(new ConceptEmbedder()), { scope: "file" }],
  backend: [
    async ({ embedder }, use) => {
      const backend = await TestBackend.start({
        embedders: [priced(embedder, "0")],
        coverage: new CoverageCache({ fewFor: 0 }),
        queryVectors: { waitMillis: 300_000, restMillis: 0 },
      });
      await use(backend);
      await backend.close();
    },
    { scope: "file" },
  ],
});

/** A town with semantic search. */
export const test = withModel.extend<{ town: FilesTown }>({
  town: async ({ backend }, use) => use(await meaningTown(backend)),
});

export async function meaningTown(backend: TestBackend): Promise<FilesTown> {
  const town = await FilesTown.build(backend, await backend.addTenant(), "Town");
  await backend.run(town.owner, ["workspaces", "update", "town", "--semantic-search", "on"]);
  return town;
}

/** Lets the worker embed every file that waits, with a model that answers like the backend's. */
export async function embedAll(town: FilesTown): Promise<void> {
  const embedders = [priced(new ConceptEmbedder(), "0")];
  let waiting = await countWaiting(town);
  while (waiting > 0) {
    await takeOneTurn(town, embedders);
    const left = await countWaiting(town);
    if (left >= waiting) throw new Error(`${left} files were not embedded`);
    waiting = left;
  }
}

async function countWaiting({ backend, tenant }: FilesTown): Promise<number> {
  const { items } = await backend.run<{ items: { waiting: number }[] }>(tenant.token, "embeddings status");
  return items.reduce((sum, { waiting }) => sum + waiting, 0);
}

/** One turn of the real worker, in a new or current run, some time from now, to test its failures. */
export async function takeOneTurn(
  { backend, tenant }: Pick<FilesTown, "backend" | "tenant">,
  embedders: readonly PricedEmbedder[],
  inMillis = 0,
): Promise<void> {
  await backend.run(tenant.token, "embeddings run");
  await withWorker(backend, (context) =>
    takeTurn(
      {
        ...context,
        embedders: new Embedders(embedders),
        clock: () => new Date(Date.now() + inMillis),
      },
      tenant.id,
    ),
  );
}
