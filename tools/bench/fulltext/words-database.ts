import { rm } from "node:fs/promises";
import { databaseUrl, withAdmin } from "@svc/database/development-server";
import { analyseDocument } from "@svc/search/analyser/analyse-document";
import { analyserVersion } from "@svc/search/analyser/analyse-text";
import { extensionOf } from "@svc/search/index/documents";
import { folderMarks } from "@svc/search/index/folder-marks";
import { sampleMarks } from "@svc/search/index/sample-marks";
import { sharedShelf, sharedShelves } from "@svc/search/index/shelf";
import type pg from "pg";
import { sampleTenant, seedSampleTenant } from "../scale-data/sample-tenant.ts";
import { ensureScaleDatabase, openScaleDatabase, type ScaleDatabase } from "../scale-data/scale-database.ts";
import { withClient } from "../with-client.ts";
import { Dice, drawText } from "./words.ts";

const atOnce = 5_000;
/** Increment it when the generated data changes. */
const version = 4;

/** The full database with texts of a thousand characters, searchable: made from it once, and kept. */
export async function ensureWordsDatabase(
  progress: (line: string) => void = console.error,
): Promise<ScaleDatabase> {
  await using scale = await ensureScaleDatabase();
  const name = `${scale.name}_words`;
  const adminUrl = databaseUrl(name);
  const tokenFile = `.dev/${name}.token`;
  await withAdmin(async (client) => {
    await client.query("select pg_advisory_lock(hashtext($1))", [name]);
    const described = async (database: string) => {
      const { rows } = await client.query<{ content: string | null }>(
        "select shobj_description(oid, 'pg_database') as content from pg_database where datname = $1",
        [database],
      );
      return rows[0]?.content;
    };
    const wanted = `${await described(scale.name)}, words ${version}, analyser ${analyserVersion}`;
    if ((await described(name)) === wanted) return progress(`${name} is already filled: ${wanted}`);
    progress(`filling ${name}: ${wanted}`);
    await client.query(`drop database if exists ${name} with (force)`);
    // It is that of the database before.
    await rm(tokenFile, { force: true });
    await client.query(`create database ${name} template ${scale.name}`);
    await client.query(`grant create on database ${name} to svc_owner, svc_worker`);
    await withClient(adminUrl, (inside) => fillWords(inside, progress));
    await client.query(`comment on database ${name} is ${client.escapeLiteral(wanted)}`);
  });
  // Its own: a checkout that has lost the token gets a new one here too, not only in the database this was made from.
  return openScaleDatabase(name, seedSampleTenant(adminUrl, tokenFile));
}

interface NodeRow {
  tenant: string;
  id: string;
  workspace: string;
  place: string;
  kind: string;
  name: string;
}

async function fillWords(client: pg.Client, progress: (line: string) => void): Promise<void> {
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(`
    select indexname as name, indexdef as definition from pg_indexes
    where schemaname = 'app' and tablename like 'search_document_%' and indexdef ilike '%using gin%'`);
  for (const { name } of indexes) await client.query(`drop index app.${name}`);
  await client.query("truncate app.node_text, app.search_document, app.search_place");
  await client.query(`
    insert into app.search_place (tenant_id, id, workspace_id, parent_id, acl_scope_id, is_hidden)
    select tenant_id, id, id, null, id, false from app.workspace
    union all
    select tenant_id, id, workspace_id, parent_id, acl_scope_id, false from app.node where kind = 'folder'`);
  const { rows: samples } = await client.query<{ id: string }>(
    "select tenant_id as id from control.tenant where slug = $1",
    [sampleTenant.slug],
  );
  const sample = samples[0]?.id;
  await client.query("insert into app.search_shelf (tenant_id, shelf_id) values ($1, $2)", [
    sample,
    sharedShelves,
  ]);
  const dice = new Dice(5);
  let after = { tenant: "00000000-0000-0000-0000-000000000000", id: "00000000-0000-0000-0000-000000000000" };
  for (let done = 0; ; ) {
    const { rows } = await client.query<NodeRow>(
      `select tenant_id as tenant, id, workspace_id as workspace, kind, name,
         case when kind = 'folder' then id else parent_id end as place
       from app.node where (tenant_id, id) > ($1, $2) order by tenant_id, id limit ${atOnce}`,
      [after.tenant, after.id],
    );
    const last = rows.at(-1);
    if (!last) break;
    await insertDocuments(client, rows, dice, sample);
    after = last;
    done += rows.length;
    if (done % 100_000 === 0) progress(`${done} documents`);
  }
  const started = performance.now();
  await client.query("set maintenance_work_mem = '1GB'");
  for (const { definition } of indexes) await client.query(definition);
  progress(`indexed in ${((performance.now() - started) / 1_000).toFixed(0)} s`);
  await client.query("call app.count_all_search_documents()");
  await client.query("vacuum (analyze) app.search_document, app.search_place, app.node_text");
}

async function insertDocuments(client: pg.Client, rows: NodeRow[], dice: Dice, own: string | undefined) {
  const texts = rows.map(({ kind }) => (kind === "file" ? drawText(dice) : ""));
  const analysed = rows.map(({ name }, index) => analyseDocument({ name, text: texts[index] ?? "" }));
  await client.query(
    `with given as (
       select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::text[], $7::text[],
         $8::smallint[], $9::text[], $10::int[], $11::text[], $12::text[], $13::text[], $14::int[])
         as given (tenant, id, workspace, place, kind, name, text, shelf, name_tsv, name_length, whole, extension,
           body_tsv, body_length)),
     stored as (
       insert into app.node_text (tenant_id, node_id, content_version, outcome, text, extractor_version)
       select tenant, id, 1, 'ok', text, 1 from given where kind = 'file')
     insert into app.search_document (tenant_id, shelf_id, id, entity_type, workspace_id, place_id, name, whole_name,
       name_tsv, name_length, body_tsv, body_length, is_cut, extension, media_type, updated_at, content_version,
       analyser_version)
     select tenant, shelf, id, upper(kind), workspace, place, name, whole, name_tsv::tsvector, name_length,
       body_tsv::tsvector, body_length, false, extension,
       case when kind = 'file' then 'text/plain' end, now() - random() * interval '700 days', 1, ${analyserVersion}
     from given`,
    [
      rows.map(({ tenant }) => tenant),
      rows.map(({ id }) => id),
      rows.map(({ workspace }) => workspace),
      rows.map(({ place }) => place),
      rows.map(({ kind }) => kind),
      rows.map(({ name }) => name),
      texts,
      rows.map(({ tenant }) => (tenant === own ? sharedShelves : sharedShelf(tenant))),
      rows.map(({ name, kind }, index) =>
        [analysed[index]?.name.text, ...(kind === "folder" ? folderMarks(name) : [])].join(" "),
      ),
      analysed.map(({ name }) => name.length),
      analysed.map(({ wholeName }) => wholeName),
      rows.map(({ name, kind }) => (kind === "file" ? extensionOf(name) : null)),
      rows.map(({ id }, index) => [analysed[index]?.body.text, ...sampleMarks(id)].join(" ")),
      analysed.map(({ body }) => body.length),
    ],
  );
}
