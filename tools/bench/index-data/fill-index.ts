import { randomUUID } from "node:crypto";
import { sampleMarks } from "@svc/search/index/sample-marks";
import { sharedShelf } from "@svc/search/index/shelf";
import { Dice, drawText } from "../fulltext/words.ts";
import { withClient } from "../with-client.ts";

export interface FilledIndex {
  tenantId: string;
  workspaceId: string;
  shelf: number;
  /** Each with its own access list of the same id. */
  places: string[];
  /** A common word, a less common one, and one that no document has. */
  words: string[];
}

const atOnce = 2_000;

/** A tenant's documents, with words and nothing else: no files, no texts. */
export async function fillIndex(
  adminUrl: string,
  size: { documents: number; places: number },
): Promise<FilledIndex> {
  const [tenantId, workspaceId] = [randomUUID(), randomUUID()];
  const shelf = sharedShelf(tenantId);
  const places = Array.from({ length: size.places }, () => randomUUID());
  const dice = new Dice(1);
  await withClient(adminUrl, async (client) => {
    await client.query("set synchronous_commit = off");
    await client.query(
      `insert into app.search_place (tenant_id, id, workspace_id, parent_id, acl_scope_id, is_hidden)
       select $1, id, $2, null, id, false from unnest($3::uuid[]) as id`,
      [tenantId, workspaceId, places],
    );
    for (let done = 0; done < size.documents; done += atOnce) {
      const ids = Array.from({ length: Math.min(atOnce, size.documents - done) }, () => randomUUID());
      await client.query(
        `insert into app.search_document (tenant_id, shelf_id, id, entity_type, workspace_id, place_id, name, whole_name,
           name_tsv, name_length, body_tsv, body_length, is_cut, updated_at, content_version, analyser_version)
         select $1, $2, id, 'FILE', $3, place, id::text, id::text, '', 0,
           to_tsvector('simple', text) || marks::tsvector, 150, false, now(), 1, 1
         from unnest($4::uuid[], $5::uuid[], $6::text[], $7::text[]) as given (id, place, text, marks)`,
        [
          tenantId,
          shelf,
          workspaceId,
          ids,
          ids.map((_, index) => places[(done + index) % places.length]),
          ids.map(
            (_, index) =>
              `${index % 3 === 0 ? "common" : "usual"} ${index % 50 === 0 ? "seldom" : ""} ${drawText(dice)}`,
          ),
          ids.map((id) => sampleMarks(id).join(" ")),
        ],
      );
    }
    await client.query("select app.merge_search_shelf($1)", [shelf]);
    await client.query(
      "vacuum (analyze) app.search_document, app.search_place, app.search_place_count, app.search_place_delta",
    );
  });
  return { tenantId, workspaceId, shelf, places, words: ["common", "seldom", "missing"] };
}
