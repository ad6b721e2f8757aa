import type { FileHandle } from "node:fs/promises";

/** Offsets in the header of an OLE storage that locate its directory ([MS-CFB] 2.2). */
const sectorShiftOffset = 0x1e;
const firstDirectorySectorOffset = 0x30;
const directoryEntryBytes = 128;
const nameLengthOffset = 0x40;

const mediaTypes = new Map(
  Object.entries({
    WordDocument: "application/msword",
    Workbook: "application/vnd.ms-excel",
    Book: "application/vnd.ms-excel",
    "PowerPoint Document": "application/vnd.ms-powerpoint",
  }),
);

/**
 * Distinguishes Office files from before 2007, which we do not read, from current ones with a password, which are an
 * OLE storage around the encrypted package. The start of the directory tells them apart.
 */
export async function lookIntoOleStorage(
  file: FileHandle,
  head: Buffer,
): Promise<{ isEncrypted: boolean; mediaType: string }> {
  const names = await readDirectoryStart(file, head);
  return {
    isEncrypted: names.includes("EncryptedPackage"),
    mediaType:
      names.map((name) => mediaTypes.get(name)).find((type) => type !== undefined) ?? "application/x-cfb",
  };
}

async function readDirectoryStart(file: FileHandle, head: Buffer): Promise<string[]> {
  if (head.length < 512) return [];
  const sectorBytes = 2 ** Math.min(head.readUInt16LE(sectorShiftOffset), 12);
  const position = (head.readUInt32LE(firstDirectorySectorOffset) + 1) * sectorBytes;
  const { buffer, bytesRead } = await file.read(Buffer.alloc(4096), 0, 4096, position);
  const names: string[] = [];
  for (let entry = 0; entry + directoryEntryBytes <= bytesRead; entry += directoryEntryBytes) {
    // In bytes, including the final NUL; at most 64.
    const nameBytes = Math.min(buffer.readUInt16LE(entry + nameLengthOffset), 64);
    names.push(buffer.toString("utf16le", entry, entry + Math.max(0, nameBytes - 2)));
  }
  return names;
}
