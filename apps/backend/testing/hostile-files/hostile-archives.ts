import { makeDocx } from "@svc/documents/make-docx";
import { makeZip, packZip } from "@svc/documents/make-zip";
import type { HostileFile } from "./hostile-file.ts";
import { docx, lie } from "./hostile-zip.ts";

const text = "<w:p><w:t>harmless words</w:t></w:p>";
const document = { title: "Harmless", paragraphs: ["words"] };
const word = "application/vnd.openxmlformats-officedocument.wordprocessingml";

const damaged: HostileFile[] = [
  {
    what: "the second half is missing",
    name: "half.docx",
    make: () => half(makeDocx(document)),
    outcome: "crash",
  },
  {
    what: "the last byte is missing",
    name: "almost.docx",
    make: () => makeDocx(document).subarray(0, -1),
    outcome: "crash",
  },
  {
    what: "only a signature",
    name: "signature.docx",
    make: () => Buffer.from("PK\x03\x04"),
    outcome: "crash",
  },
  { what: "only an empty directory", name: "nothing.docx", make: () => packZip([]), outcome: "unsupported" },
  {
    what: "compressed data are noise",
    name: "noise.docx",
    make: () => packZip(lie(docx(text), 1, { data: Buffer.alloc(5_000, 0xa7) })),
    outcome: "crash",
  },
  {
    what: "a directory that is a lie",
    name: "directory.docx",
    make: () => {
      const bytes = packZip(docx(text));
      bytes.writeUInt16LE(0xffff - 1, bytes.length - 14);
      bytes.writeUInt16LE(0xffff - 1, bytes.length - 12);
      return bytes;
    },
    outcome: "too_large",
  },
  {
    what: "a directory beyond the end",
    name: "offset.docx",
    make: () => {
      const bytes = packZip(docx(text));
      bytes.writeUInt32LE(0x7fff_ffff, bytes.length - 6);
      return bytes;
    },
    outcome: "crash",
  },
  {
    what: "a compression that nobody knows",
    name: "method.docx",
    make: () => packZip(lie(docx(text), 1, { method: 77 })),
    outcome: "crash",
  },
  {
    what: "100 kB of noise after its end",
    name: "tail.docx",
    make: () => Buffer.concat([makeDocx(document), Buffer.alloc(100_000, 0x5a)]),
    outcome: "crash",
  },
  {
    what: "parts but no text among them",
    name: "headless.docx",
    make: () => makeZip([{ name: "[Content_Types].xml", content: "<Types/>" }]),
    outcome: "unsupported",
  },
  {
    what: "an OpenDocument without content",
    name: "hollow.odt",
    make: () => makeZip([{ name: "mimetype", content: "application/vnd.oasis.opendocument.text" }]),
    outcome: "crash",
  },
  {
    what: "a media type with a line break for a header",
    name: "injected.odt",
    make: () => makeZip([{ name: "mimetype", content: "text/plain\r\nSet-Cookie: a=b" }]),
    outcome: "unsupported",
  },
  {
    what: "a type of its text with a line break for a header",
    name: "injected.docx",
    make: () => typed(`text/html&#13;&#10;Set-Cookie: a=b;${word}.document.main+xml`),
    outcome: "ok",
  },
  {
    what: "a type of its text with a NUL",
    name: "nul.docx",
    make: () => typed(`text/\0html;${word}.document.main+xml`),
    outcome: "ok",
  },
  {
    what: "a type of its text of 500 kB",
    name: "type.docx",
    make: () => typed(`${"x".repeat(500_000)}${word}.document.main+xml`),
    outcome: "ok",
  },
];

const strangelyNamed: HostileFile[] = [
  {
    what: "names that lead out of the folder",
    name: "climbing.docx",
    make: () =>
      packZip(
        docx(
          text,
          { name: "../../../../etc/passwd", content: "x" },
          { name: "..\\..\\boot.ini", content: "x" },
          { name: "/etc/cron.d/x", content: "x" },
        ),
      ),
    outcome: "ok",
  },
  {
    what: "names with NUL, line breaks and 60,000 letters",
    name: "names.docx",
    make: () =>
      packZip(
        docx(
          text,
          { name: "a\0b", content: "x" },
          { name: "a\r\nb", content: "x" },
          { name: "x".repeat(60_000), content: "x" },
        ),
      ),
    outcome: "ok",
  },
  {
    what: "two texts of the same name",
    name: "double.docx",
    make: () => packZip(docx(text, { name: "word/document.xml", content: text })),
    outcome: "ok",
  },
  {
    what: "part names that are properties of objects",
    name: "__proto__.docx",
    make: () =>
      packZip(docx(text, { name: "__proto__", content: "x" }, { name: "constructor", content: "x" })),
    outcome: "ok",
  },
  {
    what: "a text found by a path upwards",
    name: "upwards.docx",
    make: () =>
      makeZip([
        {
          name: "[Content_Types].xml",
          content: `<Types><Override PartName="/../../etc/passwd" ContentType="${word}.document.main+xml"/></Types>`,
        },
      ]),
    outcome: "unsupported",
  },
];

const encrypted: HostileFile[] = [
  {
    what: "an encrypted entry",
    name: "locked.docx",
    make: () => packZip(lie(docx(text), 1, { flags: 0x801 })),
    outcome: "encrypted",
  },
  { what: "an OpenDocument with a password", name: "locked.odt", make: encryptedOdt, outcome: "encrypted" },
  {
    what: "an office file with a password",
    name: "locked.xlsx",
    make: () => oleStorage("EncryptedPackage"),
    outcome: "encrypted",
  },
  {
    what: "an office file of 1997",
    name: "old.doc",
    make: () => oleStorage("WordDocument"),
    outcome: "unsupported",
  },
  {
    what: "a stream that is a property of objects",
    name: "constructor.doc",
    make: () => oleStorage("constructor"),
    outcome: "unsupported",
  },
  {
    what: "a storage whose directory lies beyond its end",
    name: "storage.doc",
    make: () => {
      const bytes = oleStorage("WordDocument");
      bytes.writeUInt32LE(0xffff_fff0, 0x30);
      return bytes;
    },
    outcome: "unsupported",
  },
  {
    what: "a storage of eight bytes",
    name: "stub.doc",
    make: () => oleStorage("x").subarray(0, 8),
    outcome: "unsupported",
  },
];

export const hostileArchives: HostileFile[] = [...damaged, ...strangelyNamed, ...encrypted];

/** A document whose text has a type of our choice. */
function typed(contentType: string): Buffer {
  const types = `<Types><Default Extension="xml" ContentType="${contentType}"/></Types>`;
  return makeZip([
    { name: "[Content_Types].xml", content: types },
    { name: "word/document.xml", content: text },
  ]);
}

function half(bytes: Buffer): Buffer {
  return bytes.subarray(0, bytes.length / 2);
}

function encryptedOdt(): Buffer {
  const manifest =
    '<m:manifest><m:file-entry m:full-path="content.xml"><m:encryption-data m:checksum="x"/></m:file-entry></m:manifest>';
  return Buffer.from(
    makeZip([
      { name: "mimetype", content: "application/vnd.oasis.opendocument.text", isStored: true },
      { name: "content.xml", content: Buffer.alloc(2_000, 0x91) },
      { name: "META-INF/manifest.xml", content: manifest },
    ]),
  );
}

/** Header and a directory with one stream in it. */
function oleStorage(stream: string): Buffer {
  const bytes = Buffer.alloc(2_048);
  Buffer.from("d0cf11e0a1b11ae1", "hex").copy(bytes);
  bytes.writeUInt16LE(9, 0x1e);
  bytes.writeUInt32LE(1, 0x30);
  for (const [index, name] of ["Root Entry", stream].entries()) {
    const entry = 1_024 + index * 128;
    bytes.write(name, entry, "utf16le");
    bytes.writeUInt16LE((name.length + 1) * 2, entry + 0x40);
  }
  return bytes;
}
