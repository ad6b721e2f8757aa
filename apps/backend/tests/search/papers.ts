import { analyserVersion, analyseText } from "@svc/search/analyser/analyse-text";
import { toTsvector } from "@svc/search/analyser/to-tsvector";
import { sharedShelf } from "@svc/search/index/shelf";
import type pg from "pg";
import { Dice } from "../../testing/dice.ts";
import type { FilesTown } from "../../testing/files-test.ts";

/** A file of about a kilobyte with unique words. */
export interface Paper {
  folder: string;
  nameWord: string;
  textWord: string;
  group: number;
  /** Odd while somebody changes it. */
  changes: number;
  isGone: boolean;
}

/** In every text. */
export const commonWord = "meridian";
/** A page of hits shows all papers that have the word of a group. */
const groupSize = 40;
const folderSize = 400;

export function pathOf({ folder, nameWord }: Paper): string {
  return `/${folder}/${nameWord}.txt`;
}

const digits = "bcdfghjklm";

/** Unique, and never one edit away from another: each letter comes twice, so no search corrects one word to another. */
export function wordOf(kind: "name" | "text" | "group", number: number): string {
  const letters = String(number).replaceAll(/\d/g, (digit) => (digits[Number(digit)] ?? "").repeat(2));
  return `z${kind[0]}${kind[0]}${letters}x`;
}

/** The text of a rewritten paper. */
export function textOf({ group, textWord }: Paper): string {
  return `${fillers[group % fillers.length]} ${wordOf("group", group)} ${textWord}`;
}

export function groupOf(number: number, count: number): number {
  return number % Math.ceil(count / groupSize);
}

const fillers = makeFillers();

function makeFillers(): string[] {
  const dice = new Dice(1);
  const syllables = ["ba", "ko", "li", "mer", "nu", "po", "ra", "sti", "to", "ven"];
  const word = () => Array.from({ length: 3 }, () => dice.pick(syllables)).join("");
  return Array.from({ length: 50 }, () =>
    [commonWord, ...Array.from({ length: 130 }, (_, index) => (index % 6 ? word() : "and the"))].join(" "),
  );
}

/**
 * Adds papers to a workspace as if an older analyser had indexed them: with SQL, because commands would take longer
 * than the test itself.
 */
export async function addPapers(admin: pg.Client, town: FilesTown, count: number): Promise<Paper[]> {
  const { rows } = await admin.query<{ id: string; owner: string }>(
    `select workspace.id, principal.id as owner from app.workspace join app.principal using (tenant_id)
     where tenant_id = $1 and slug = $2 limit 1`,
    [town.tenant.id, town.slug],
  );
  const [workspace] = rows;
  if (!workspace) throw new Error("the town has no workspace");
  const place = [town.tenant.id, workspace.id, workspace.owner];
  await admin.query("begin");
  await makeFillerTable(admin);
  await admin.query(
    `create temp table folder on commit drop as
     select number, 'f' || number as name, uuidv7() as id from generate_series(0, ${Math.ceil(count / folderSize) - 1}) as number`,
  );
  await admin.query(
    `create temp table paper on commit drop as
     select uuidv7() as id, folder.id as folder_id, ${sqlWord("name", "n")} as name_word, filler.length + 2 as length,
       filler.text || ' ' || ${sqlWord("group", "grouped")} || ' ' || ${sqlWord("text", "n")} as text,
       filler.terms || to_tsvector('simple', ${sqlWord("group", "grouped")} || ' ' || ${sqlWord("text", "n")}) as terms
     from generate_series(0, ${count - 1}) as n
     cross join lateral (select n % ${Math.ceil(count / groupSize)} as grouped) as g
     join folder on folder.number = n / ${folderSize}
     join filler on filler.number = grouped % ${fillers.length}`,
  );
  await admin.query(
    `insert into app.node (tenant_id, id, workspace_id, parent_id, kind, name, acl_scope_id, created_by, updated_by)
     select $1, id, $2, $2, 'folder', name, $2, $3, $3 from folder`,
    place,
  );
  await admin.query(
    `insert into app.node (tenant_id, id, workspace_id, parent_id, kind, name, acl_scope_id, content_version, size,
       media_type, sha256, created_by, updated_by)
     select $1, id, $2, folder_id, 'file', name_word || '.txt', $2, 1, length(text), 'text/plain', sha256(text::bytea),
       $3, $3 from paper`,
    place,
  );
  await admin.query(
    `insert into app.blob (tenant_id, sha256, size, storage_key, reference_count)
     select $1, sha256(text::bytea), length(text), uuidv7(), 1 from paper`,
    place.slice(0, 1),
  );
  await admin.query(
    `insert into app.node_version (tenant_id, node_id, content_version, size, media_type, sha256, created_by)
     select $1, id, 1, length(text), 'text/plain', sha256(text::bytea), $2 from paper`,
    [town.tenant.id, workspace.owner],
  );
  await admin.query(
    `insert into app.node_text (tenant_id, node_id, content_version, outcome, text, extractor_version)
     select $1, id, 1, 'ok', text, 1 from paper`,
    place.slice(0, 1),
  );
  await admin.query(
    `insert into app.search_place (tenant_id, id, workspace_id, parent_id, acl_scope_id, is_hidden)
     select $1, id, $2, $2, $2, false from folder`,
    place.slice(0, 2),
  );
  await addOldDocuments(admin, place);
  await admin.query("commit");
  await admin.query(
    "vacuum analyze app.node, app.node_version, app.node_text, app.search_place, app.search_document",
  );
  return Array.from({ length: count }, (_, number) => ({
    folder: `f${Math.floor(number / folderSize)}`,
    nameWord: wordOf("name", number),
    textWord: wordOf("text", number),
    group: groupOf(number, count),
    changes: 0,
    isGone: false,
  }));
}

async function makeFillerTable(admin: pg.Client): Promise<void> {
  await admin.query(
    "create temp table filler (number int, text text, terms tsvector, length int) on commit drop",
  );
  for (const [number, text] of fillers.entries()) {
    const terms = toTsvector(analyseText(text));
    await admin.query("insert into filler values ($1, $2, $3, $4)", [number, text, terms.text, terms.length]);
  }
}

async function addOldDocuments(
  admin: pg.Client,
  [tenantId, workspaceId, owner]: readonly (string | undefined)[],
): Promise<void> {
  const shelf = sharedShelf(tenantId ?? "");
  const old = analyserVersion - 1;
  const columns = `tenant_id, shelf_id, id, entity_type, workspace_id, place_id, name, whole_name, name_tsv, name_length,
    body_tsv, body_length, is_cut, extension, media_type, owner_id, updated_at, content_version, analyser_version`;
  await admin.query(
    `insert into app.search_document (${columns})
     select $1::uuid, ${shelf}, id, 'FILE', $2::uuid, folder_id, name_word || '.txt', name_word || '.txt',
       to_tsvector('simple', name_word || ' txt'), 2, terms, length, false, 'txt', 'text/plain', $3::uuid, now(), 1, ${old} from paper
     union all
     select $1::uuid, ${shelf}, id, 'FOLDER', $2::uuid, id, name, name, to_tsvector('simple', name), 1, ''::tsvector, 0, false, null, null, $3::uuid, now(),
       0, ${old} from folder`,
    [tenantId, workspaceId, owner],
  );
  await admin.query("update app.search_document set analyser_version = $2 where tenant_id = $1", [
    tenantId,
    old,
  ]);
}

function sqlWord(kind: "name" | "text" | "group", number: string): string {
  const doubled = `regexp_replace(${number}::text, '(.)', '\\1\\1', 'g')`;
  return `('z${kind[0]}${kind[0]}' || translate(${doubled}, '0123456789', '${digits}') || 'x')`;
}
