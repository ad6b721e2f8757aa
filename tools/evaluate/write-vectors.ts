import { createEmbedder } from "@svc/embedding/create-embedder";
import type { Embedder } from "@svc/embedding/embedder";
import { type Chunk, chunkText } from "@svc/search/chunk-text";
import { toHalfvec } from "@svc/search/halfvec";
import { withClient } from "../bench/with-client.ts";
import { VectorCache } from "./vector-cache.ts";

interface StoredText {
  tenantId: string;
  id: string;
  version: number;
  shelf: number;
  place: string;
  text: string;
}

const atOnce = 200;

/** Embeds what a workspace has, as the worker would, from texts whose vectors may be known from an earlier evaluation. */
export async function writeVectors(adminUrl: string, workspaceSlug: string): Promise<void> {
  const embedder = await createEmbedder({ kind: "local" });
  const cache = new VectorCache(embedder);
  await withClient(adminUrl, async (client) => {
    const { rows: texts } = await client.query<StoredText>(
      `select document.tenant_id as "tenantId", document.id, stored.content_version as version, document.shelf_id as shelf,
         document.place_id as place, stored.text
       from app.workspace as workspace
       join app.search_document as document
         on document.tenant_id = workspace.tenant_id and document.workspace_id = workspace.id
       join app.node_text as stored on stored.tenant_id = document.tenant_id and stored.node_id = document.id
       where workspace.slug = $1`,
      [workspaceSlug],
    );
    for (let start = 0; start < texts.length; start += atOnce) {
      const rows = [];
      for (const { text, tenantId, id, version, shelf, place } of texts.slice(start, start + atOnce)) {
        for (const [chunk, { embedded, ...stretch }] of chunksOf(text, embedder).entries()) {
          const { hash, vector } = await cache.of(embedded);
          const startAt = [...text.slice(0, stretch.start)].length;
          rows.push({
            tenant_id: tenantId,
            shelf_id: shelf,
            node_id: id,
            model: embedder.model,
            chunk,
            content_version: version,
            place_id: place,
            start_at: startAt,
            length: [...text.slice(stretch.start, stretch.end)].length,
            text_hash: `\\x${hash.toString("hex")}`,
            embedding: toHalfvec(vector),
          });
        }
      }
      await client.query(
        "insert into app.file_embedding select * from json_populate_recordset(null::app.file_embedding, $1)",
        [JSON.stringify(rows)],
      );
    }
    await client.query("vacuum analyze app.file_embedding");
  });
  await embedder.close?.();
}

/** Room for the first line, which the later chunks of a text are given, so that they say what it is about. */
const titleTokens = 40;

function chunksOf(text: string, { maxTokens, countTokens }: Embedder): (Chunk & { embedded: string })[] {
  const most = maxTokens - titleTokens;
  const title = text.slice(0, text.indexOf("\n")).slice(0, titleTokens * 3);
  return chunkText(text, { measure: countTokens, most, overlap: Math.round(most / 10) }).map(
    (chunk, index) => {
      const within = text.slice(chunk.start, chunk.end);
      return { ...chunk, embedded: index === 0 ? within : `${title}\n\n${within}` };
    },
  );
}
