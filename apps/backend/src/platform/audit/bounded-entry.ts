import { createHash } from "node:crypto";
import type { AuditEntry } from "@svc/command-router/audit-entry";

/** Nobody can delete an entry, so none may be large. UTF-8 bytes of arguments and changes together. */
const maxBytes = 3_500;

/** From mild to severe; the first that fits is used. */
const cuts: readonly Cut[] = [
  { characters: 200, items: 20, fields: 40 },
  { characters: 80, items: 6, fields: 20 },
  { characters: 20, items: 1, fields: 10 },
];

interface Cut {
  characters: number;
  items: number;
  fields: number;
}

/** The same entry, small enough to keep forever. Truncated parts show their size and the digest of the whole. */
export function boundedEntry(entry: AuditEntry): AuditEntry {
  const whole = JSON.stringify([entry.arguments, entry.changes ?? []]);
  const bytes = Buffer.byteLength(whole);
  if (bytes <= maxBytes) return entry;

  const left = { bytes, sha256: createHash("sha256").update(whole).digest("hex") };
  for (const cut of cuts) {
    const bounded = { ...entry, ...cutEntry(entry, cut), cut: left };
    if (Buffer.byteLength(JSON.stringify([bounded.arguments, bounded.changes])) <= maxBytes) return bounded;
  }
  return { ...entry, arguments: {}, changes: [], moreChanges: entry.changes?.length ?? 0, cut: left };
}

function cutEntry({ arguments: args, changes }: AuditEntry, cut: Cut): Partial<AuditEntry> {
  const shown = changes?.slice(0, cut.items);
  const more = (changes?.length ?? 0) - (shown?.length ?? 0);
  return {
    arguments: cutValue(args, cut) as AuditEntry["arguments"],
    ...(shown === undefined ? {} : { changes: cutValue(shown, cut) as NonNullable<AuditEntry["changes"]> }),
    ...(more > 0 ? { moreChanges: more } : {}),
  };
}

function cutValue(value: unknown, cut: Cut): unknown {
  if (typeof value === "string") return cutText(value, cut.characters);
  if (Array.isArray(value)) {
    const shown = value.slice(0, cut.items).map((item) => cutValue(item, cut));
    return value.length > cut.items ? [...shown, `… ${value.length - cut.items} more`] : shown;
  }
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value);
  return Object.fromEntries([
    ...fields.slice(0, cut.fields).map(([name, field]) => [cutText(name, 60), cutValue(field, cut)]),
    ...(fields.length > cut.fields ? [["…", `${fields.length - cut.fields} more`]] : []),
  ]);
}

/** Half a surrogate pair cannot be stored, hence the check. */
function cutText(text: string, characters: number): string {
  if (text.length <= characters) return text;
  const end = text.codePointAt(characters - 1) ?? 0;
  return `${text.slice(0, end > 0xffff ? characters - 1 : characters)}… (${text.length} characters)`;
}
