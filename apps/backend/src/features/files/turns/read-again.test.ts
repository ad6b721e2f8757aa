import { makeDocx } from "@svc/documents/make-docx";
import { expect, vi } from "vitest";
import { ConceptEmbedder } from "../../../../testing/embedders/concept-embedder.ts";
import type { FilesTown } from "../../../../testing/files-test.ts";
import { takeOneTurn, test } from "../../../../testing/meaning-test.ts";
import { asAdmin, runTurns } from "../../../../testing/worker-test.ts";
import { priced } from "../../../platform/search/embedders.ts";
import { runReader } from "../../../platform/text/run-reader.ts";
import readAgain from "./read-again.ts";

vi.mock("../../../platform/text/run-reader.ts", { spy: true });

const beginning = "The first paragraph.";
const document = makeDocx({ title: "Plans", paragraphs: [beginning, "The second paragraph."] });

/** A document whose reader stopped after its first paragraph. */
async function putPartly(town: FilesTown, path: string): Promise<void> {
  vi.mocked(runReader).mockImplementation(async () => ({ outcome: "timeout", text: beginning }));
  await town.put(path, document);
  vi.mocked(runReader).mockRestore();
}

function runLater(town: FilesTown): Promise<void> {
  return runTurns(town.backend, readAgain, { now: new Date(Date.now() + 60 * 60_000) });
}

function embed(town: FilesTown, embedder: ConceptEmbedder): Promise<void> {
  return takeOneTurn(town, [priced(embedder, "0")]);
}

/** Whether all vectors of the tenant cover the whole text, and nothing is pending. */
async function standing(town: FilesTown): Promise<{ covered: number; text: number; waiting: number }> {
  const { rows } = await asAdmin(town, (admin) =>
    admin.query(
      `select (select max(start_at + length)::int from app.file_embedding
               where tenant_id = $1 and content_version = 1) as covered,
         (select max(length(rtrim(text, E'\n')))::int from app.node_text where tenant_id = $1) as text,
         (select count(*)::int from app.embedding_index_queue_entry where tenant_id = $1) as waiting`,
      [town.tenant.id],
    ),
  );
  return rows[0];
}

test("reads every due document, one after the other", { tags: ["long"] }, async ({ town }) => {
  for (const name of ["a", "b", "c"]) await putPartly(town, `/${name}.docx`);
  await runLater(town);
  for (const name of ["a", "b", "c"]) expect(await town.cat(`/${name}.docx`)).toContain("second");
});

test("a partly embedded file is embedded again, and found by its beginning until then", async ({
  town,
  embedder,
}) => {
  await putPartly(town, "/plans.docx");
  await embed(town, embedder);
  const before = await standing(town);
  expect(before).toMatchObject({ waiting: 0, text: beginning.length });
  await runLater(town);
  expect(await standing(town)).toMatchObject({ covered: null, waiting: 1 });
  const vectors = () =>
    asAdmin(town, async (admin) => {
      const { rowCount } = await admin.query("select from app.file_embedding where tenant_id = $1", [
        town.tenant.id,
      ]);
      return rowCount;
    });
  expect(await vectors()).toBeGreaterThan(0);
  await embed(town, embedder);
  const after = await standing(town);
  expect(after).toEqual({ covered: after.text, text: after.text, waiting: 0 });
  expect(after.text).toBeGreaterThan(before.text);
});

test("text that arrives while the old text is being embedded is embedded next", async ({
  town,
  embedder,
}) => {
  await putPartly(town, "/plans.docx");
  const first = new ConceptEmbedder();
  first.before = () => runLater(town);
  await embed(town, first);
  expect(first.asked).toEqual([beginning]);
  expect(await standing(town)).toMatchObject({ waiting: 1 });
  await embed(town, embedder);
  const after = await standing(town);
  expect(after).toEqual({ covered: after.text, text: after.text, waiting: 0 });
});
