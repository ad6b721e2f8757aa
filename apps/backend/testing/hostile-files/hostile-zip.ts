import {
  directoryHeader,
  endOfDirectory,
  type ZipEntry,
  type ZipRecord,
  zipRecord,
} from "@svc/documents/make-zip";

const contentTypes = `<Types><Default Extension="xml" ContentType="application/xml"/>
<Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`;

/** A minimal DOCX with a custom text part. */
export function docx(document: string | Uint8Array, ...more: ZipEntry[]): ZipRecord[] {
  return [
    { name: "[Content_Types].xml", content: contentTypes },
    { name: "word/document.xml", content: document },
    ...more,
  ].map(zipRecord);
}

/** Replaces what the archive declares about its part number `index`. */
export function lie(records: readonly ZipRecord[], index: number, claims: Partial<ZipRecord>): ZipRecord[] {
  return records.map((record, place) => (place === index ? { ...record, ...claims } : record));
}

/** Every entry of the directory leads to the same bytes. */
export function packOverlapping(record: ZipRecord, names: readonly string[]): Buffer {
  const file = Buffer.alloc(30 + record.name.length);
  directoryHeader(record, 0).copy(file, 4, 6, 32);
  file.writeUInt32LE(0x04034b50, 0);
  record.name.copy(file, 30);
  const directory = names.flatMap((name) => {
    const named = { ...record, name: Buffer.from(name) };
    return [directoryHeader(named, 0), named.name];
  });
  const offset = file.length + record.data.length;
  return Buffer.concat([file, record.data, ...directory, endOfDirectory(names.length, directory, offset)]);
}

/** A bomb with one entry, a thousandth of its unpacked size. */
export function spaces(megabytes: number): Buffer {
  return Buffer.alloc(megabytes * 1024 ** 2, " ");
}

/** A text that compresses to a fiftieth, as honest office XML can. */
export function dullXml(megabytes: number): string {
  const line = (index: number) => `<w:p><w:r><w:t>${"row ".repeat(60)}${index}</w:t></w:r></w:p>`;
  const lines: string[] = [];
  for (let length = 0; length < megabytes * 1024 ** 2; length += 280) lines.push(line(lines.length));
  return `<w:document>${lines.join("")}</w:document>`;
}
