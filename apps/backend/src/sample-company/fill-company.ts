import { collections, type SampleCollection } from "@svc/sample-company/collections";
import type { PersonKey } from "@svc/sample-company/company";
import type { SampleFolder } from "@svc/sample-company/folders";
import { membership, type RightsLine } from "@svc/sample-company/rights";
import { stringify } from "csv-stringify/sync";
import type { CredentialCheck } from "../platform/identity/authenticate.ts";
import { Typist } from "./typist.ts";

interface FillParts {
  check: CredentialCheck;
  typistParts: ConstructorParameters<typeof Typist>[0];
  tokens: Record<PersonKey, string>;
  folders: readonly SampleFolder[];
  said: (line: string) => void;
}

/** Each person adds their own content with their own account, so their rights apply and everything is in the audit log. */
export async function fillCompany({ check, typistParts, tokens, folders, said }: FillParts): Promise<void> {
  const typist = async (who: PersonKey): Promise<Typist> => {
    const caller = await check(tokens[who], "127.0.0.1");
    if (!caller) throw new Error(`The token of ${who} is not valid. Delete its file to create a new one.`);
    return new Typist(typistParts, caller);
  };
  const typeAll = async (lines: readonly RightsLine[]) => {
    for (const { by, words } of lines) await (await typist(by)).typeOnce(words);
  };
  await typeAll(membership);
  for (const { by, workspace, name, files, rights } of folders) {
    said(`${workspace}: ${name} (${files.length} files)`);
    const owner = await typist(by);
    const place = ["--workspace", workspace];
    if (rights.length > 0) await owner.typeOnce(["files", "mkdir", `/${name}`, ...place]);
    await typeAll(rights);
    await owner.sendFolderOnce(["files", "put", `./${name}`, "/", ...place], `./${name}`, files);
  }
  for (const collection of collections) {
    const { by, workspace, name, fields, rights = [] } = collection;
    const owner = await typist(by);
    const typed = fields.flatMap((field) => ["--field", field]);
    await owner.typeOnce(["collections", "create", name, ...typed, "--workspace", workspace]);
    await typeAll(rights);
    said(`${workspace}: ${name} (${await importOnce(owner, collection)} records)`);
  }
}

async function importOnce(typist: Typist, collection: SampleCollection): Promise<number> {
  const { workspace, slug, link } = collection;
  const rows = collection.rows();
  if ((await countRecords(typist, collection)) > 0) return rows.length;
  const place = ["--workspace", workspace];
  const ids = link ? await recordIds(typist, link.collection, place) : new Map<string, string>();
  const linked = rows.map((row) =>
    link ? { ...row, [link.field]: ids.get(String(row[link.field])) ?? "" } : row,
  );
  const file = `${slug}.csv`;
  await typist.sendFile(
    ["records", "import", slug, `./${file}`, ...place],
    `./${file}`,
    stringify(linked, { header: true, cast: { boolean: String } }),
  );
  return rows.length;
}

async function countRecords(typist: Typist, { workspace, slug }: SampleCollection): Promise<number> {
  const { items } = await typist.type<{ items: { slug: string; records?: number }[] }>([
    "collections",
    "list",
    "--workspace",
    workspace,
  ]);
  if (!items.some((collection) => collection.slug === slug)) return 0;
  const records = await typist.type<{ items: unknown[] }>([
    ...["records", "list", slug, "--limit", "1"],
    ...["--workspace", workspace],
  ]);
  return records.items.length;
}

/** By title. The linked sample collections fit on one page. */
async function recordIds(
  typist: Typist,
  collection: string,
  place: readonly string[],
): Promise<Map<string, string>> {
  const { items } = await typist.type<{ items: { id: string; title: string }[] }>([
    ...["records", "list", collection, "--limit", "200"],
    ...place,
  ]);
  return new Map(items.map(({ id, title }) => [title, id]));
}
