import type pg from "pg";
import type { BareCaller } from "./bare-search.ts";
import type { QueryKind } from "./words.ts";

/** Queries that a BM25 index supports: no phrases, no unfinished words and no names. */
export const textsearchKinds: readonly QueryKind[] = [
  "rare",
  "mid",
  "common",
  "2 words",
  "3 words",
  "sentence",
];

/** The peer on the same engine: the same texts under one index of pg_textsearch, as it would be without a shelf. */
export async function ensureTextsearch(
  client: pg.Client,
  progress: (line: string) => void = console.error,
): Promise<void> {
  const { rows } = await client.query("select to_regclass('bench.text_by_words') is not null as made");
  if (rows[0].made) return;
  progress("indexing the texts with pg_textsearch");
  const statements = `
    create extension if not exists pg_textsearch;
    drop schema if exists bench cascade;
    create schema bench;
    create table bench.text as
      select document.tenant_id, document.id, document.place_id, node_text.text from app.search_document as document
      join app.node_text on node_text.tenant_id = document.tenant_id and node_text.node_id = document.id;
    create index text_by_place on bench.text (tenant_id, place_id);
    set maintenance_work_mem = '1GB';
    create index text_by_words on bench.text using bm25 (text) with (text_config = 'simple');
    vacuum analyze bench.text`;
  for (const statement of statements.split(";")) await client.query(statement);
}

/** PostgreSQL's code for a statement that exceeded its time limit. */
const cancelled = "57014";

/** Its own ranking of what the caller may see. False if it takes longer than anybody would wait. */
export async function searchByTextsearch(
  client: pg.Client,
  { tenantId, visibility: { workspaceIds, scopeIds } }: BareCaller,
  typed: string,
): Promise<boolean> {
  await client.query("set statement_timeout = 500");
  const answer = client.query(
    `select id from bench.text
     where tenant_id = $1 and place_id in (
       select id from app.search_place where tenant_id = $1 and not is_hidden and workspace_id = any($2::uuid[])
         and ($3::uuid[] is null or acl_scope_id = any($3::uuid[])))
     order by text <@> to_bm25query($4, 'bench.text_by_words') limit 20`,
    [tenantId, workspaceIds, scopeIds === "all" ? null : scopeIds, typed.trim()],
  );
  try {
    await answer;
    return true;
  } catch (error) {
    if ((error as { code?: unknown }).code !== cancelled) throw error;
    return false;
  } finally {
    await client.query("reset statement_timeout");
  }
}
