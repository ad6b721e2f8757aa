import { crc32, deflateRawSync } from "node:zlib";

export interface ZipEntry {
  name: string;
  content: string | Uint8Array;
  /** Uncompressed, as ODF requires for its media type. */
  isStored?: boolean;
}

/** An entry as stored in the archive. Nothing here has to be true: tests build lying archives from these. */
export interface ZipRecord {
  name: Buffer;
  data: Buffer;
  method: number;
  flags: number;
  crc: number;
  declaredSize: number;
}

export function makeZip(entries: readonly ZipEntry[]): Buffer {
  return packZip(entries.map(zipRecord));
}

export function zipRecord({ name, content, isStored = false }: ZipEntry): ZipRecord {
  const bytes = Buffer.from(content as Uint8Array);
  return {
    name: Buffer.from(name),
    data: isStored ? bytes : deflateRawSync(bytes),
    method: isStored ? 0 : 8,
    // Names are UTF-8.
    flags: 0x800,
    crc: crc32(bytes),
    declaredSize: bytes.length,
  };
}

export function packZip(records: readonly ZipRecord[]): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const record of records) {
    const file = Buffer.concat([localHeader(record), record.name, record.data]);
    directory.push(directoryHeader(record, offset), record.name);
    files.push(file);
    offset += file.length;
  }
  return Buffer.concat([...files, ...directory, endOfDirectory(records.length, directory, offset)]);
}

/** 1980-01-01: the same content makes the same bytes. */
const date = 0x21;

function localHeader({ name, data, method, flags, crc, declaredSize }: ZipRecord): Buffer {
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(20, 4);
  header.writeUInt16LE(flags, 6);
  header.writeUInt16LE(method, 8);
  header.writeUInt16LE(date, 12);
  header.writeUInt32LE(crc, 14);
  header.writeUInt32LE(data.length, 18);
  header.writeUInt32LE(declaredSize, 22);
  header.writeUInt16LE(name.length, 26);
  return header;
}

export function directoryHeader(record: ZipRecord, offset: number): Buffer {
  const local = localHeader(record);
  const header = Buffer.alloc(46);
  header.writeUInt32LE(0x02014b50, 0);
  header.writeUInt16LE(20, 4);
  local.copy(header, 6, 4);
  header.writeUInt32LE(offset, 42);
  return header;
}

export function endOfDirectory(count: number, directory: readonly Buffer[], offset: number): Buffer {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(
    directory.reduce((sum, { length }) => sum + length, 0),
    12,
  );
  end.writeUInt32LE(offset, 16);
  return end;
}
