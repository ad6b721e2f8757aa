import { type RawBuilder, sql } from "kysely";
import type { CommandContext } from "../../../src/platform/commands/command-context.ts";

export interface NoteRow {
  id: string;
  text: string;
  tags: string[];
  sha256: string | null;
  size: number | null;
}

/** The fixture's table, with policies like any other; created by `startFixtureBackend`. */
export const noteTable = [
  `create table app.note (
    tenant_id uuid not null,
    id uuid not null default uuidv7(),
    text text not null,
    tags text[] not null default '{}',
    sha256 text,
    size bigint,
    primary key (tenant_id, id))`,
  "alter table app.note owner to svc_owner",
  "call app.police('app.note')",
  "grant select, insert, delete on app.note to svc_app",
];

export async function addNote(
  { transaction }: CommandContext,
  note: { text: string; tags?: readonly string[]; sha256?: string; size?: number },
): Promise<string> {
  const [row] = await rowsOf<{ id: string }>(
    transaction,
    sql`
      insert into app.note (tenant_id, text, tags, sha256, size)
      values (${transaction.tenantId}, ${note.text}, ${[...(note.tags ?? [])]}, ${note.sha256 ?? null}, ${note.size ?? null})
      returning id`,
  );
  return row?.id ?? "";
}

export function findNotes({ transaction }: CommandContext, id?: string): Promise<NoteRow[]> {
  return rowsOf<NoteRow>(
    transaction,
    sql`
      select id, text, tags, sha256, size from app.note
      where tenant_id = ${transaction.tenantId} and (${id ?? null}::uuid is null or id = ${id ?? null}::uuid)
      order by id`,
  );
}

export async function dropNote({ transaction }: CommandContext, id: string): Promise<void> {
  await rowsOf(
    transaction,
    sql`delete from app.note where tenant_id = ${transaction.tenantId} and id = ${id}`,
  );
}

async function rowsOf<Row>(
  { db }: CommandContext["transaction"],
  statement: RawBuilder<unknown>,
): Promise<Row[]> {
  const { rows } = await statement.execute(db);
  return rows as Row[];
}
