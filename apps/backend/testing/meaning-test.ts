import { createHash } from "node:crypto";
import { CoverageCache } from "@svc/search/inspecting/coverage";
import { toHalfvec } from "@svc/search/vectors/halfvec";
import { test as base } from "vitest";
import { takeTurn } from "../src/features/embeddings/embed-files.ts";
import { Embedders, type PricedEmbedder, priced } from "../src/platform/search/embedders.ts";
import { ConceptEmbedder, conceptVector } from "./embedders/concept-embedder.ts";
import { FilesTown } from "./files-test.ts";
import { TestBackend } from "./test-backend.ts";
import { asAdmin, withWorker } from "./worker-test.ts";

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
        queryVectors: { waitMillis: 2_000, restMillis: 0 },
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

/** Does what the worker does: a vector for each paragraph of each waiting file. */
export async function embedAll(town: FilesTown): Promise<void> {
  await asAdmin(town, async (client) => {
    const { rows } = await client.query<{ id: string; shelf: number; place: string; text: string }>(
      `select document.id, document.shelf_id as shelf, document.place_id as place, stored.text
       from app.embedding_index_queue_entry as entry
       join app.search_document as document on document.tenant_id = entry.tenant_id and document.id = entry.node_id
       join app.node_text as stored on stored.tenant_id = entry.tenant_id and stored.node_id = entry.node_id
       where entry.tenant_id = $1`,
      [town.tenant.id],
    );
    for (const { id, shelf, place, text } of rows) {
      for (const [chunk, { index, 0: paragraph }] of [...text.matchAll(/[^\n]+/gu)].entries()) {
        await client.query(
          `insert into app.file_embedding (tenant_id, shelf_id, node_id, model, chunk, content_version, place_id, start_at,
             length, text_hash, embedding)
           values ($1, $2, $3, 'concepts', $4, 1, $5, $6, $7, $8, $9::text::halfvec)`,
          [
            town.tenant.id,
            shelf,
            id,
            chunk,
            place,
            index,
            paragraph.length,
            createHash("sha256").update(paragraph).digest(),
            toHalfvec(conceptVector(paragraph)),
          ],
        );
      }
    }
    await client.query("delete from app.embedding_index_queue_entry where tenant_id = $1", [town.tenant.id]);
  });
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
