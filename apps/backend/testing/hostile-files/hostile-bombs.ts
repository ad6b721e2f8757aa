import { makeXlsx } from "@svc/documents/make-xlsx";
import { makeZip, packZip, zipRecord } from "@svc/documents/make-zip";
import type { HostileFile } from "./hostile-file.ts";
import { docx, dullXml, lie, packOverlapping, spaces } from "./hostile-zip.ts";

const text = "<w:p><w:t>harmless words</w:t></w:p>";
const openXmlTypes = "application/vnd.openxmlformats-officedocument";

export const hostileBombs: HostileFile[] = [
  {
    what: "300 MB of spaces for a text",
    name: "flat.docx",
    make: () => packZip(docx(spaces(300))),
    outcome: "too_large",
  },
  {
    what: "20 MB of spaces in 20 kB",
    name: "ratio.docx",
    make: () => packZip(docx(spaces(20))),
    outcome: "too_large",
  },
  {
    what: "300 MB that claim to be a kilobyte",
    name: "liar.docx",
    make: () => packZip(lie(docx(spaces(300)), 1, { declaredSize: 1024 })),
    outcome: "too_large",
  },
  {
    what: "a kilobyte that claims to be 4 GB",
    name: "braggart.docx",
    make: () => packZip(lie(docx(text), 1, { declaredSize: 0xffff_fffe })),
    outcome: "too_large",
  },
  {
    what: "shared strings of 300 MB",
    name: "strings.xlsx",
    make: () =>
      openXml([
        ["xl/workbook.xml", "spreadsheetml.sheet.main", "<workbook/>"],
        ["xl/sharedStrings.xml", "spreadsheetml.sharedStrings", spaces(300)],
      ]),
    outcome: "too_large",
  },
  {
    what: "a sheet of 300 MB",
    name: "sheet.xlsx",
    make: () =>
      openXml([
        ["xl/workbook.xml", "spreadsheetml.sheet.main", "<workbook/>"],
        ["xl/worksheets/sheet1.xml", "spreadsheetml.worksheet", spaces(300)],
      ]),
    outcome: "too_large",
  },
  {
    what: "a slide of 300 MB",
    name: "slide.pptx",
    make: () =>
      openXml([
        ["ppt/presentation.xml", "presentationml.presentation.main", "<p/>"],
        ["ppt/slides/slide1.xml", "presentationml.slide", spaces(300)],
      ]),
    outcome: "too_large",
  },
  {
    what: "300 slides of 1 MB, each of them modest",
    name: "slides.pptx",
    make: () => {
      const slide = zipRecord({ name: "", content: dullXml(1) });
      const types = `<Default Extension="sld" ContentType="${openXmlTypes}.presentationml.slide+xml"/>`;
      const main = `${openXmlTypes}.presentationml.presentation.main+xml`;
      return packZip([
        zipRecord({
          name: "[Content_Types].xml",
          content: `<Types>${types}<Override PartName="/p.xml" ContentType="${main}"/></Types>`,
        }),
        zipRecord({ name: "p.xml", content: "<p/>" }),
        ...Array.from({ length: 300 }, (_, index) => ({ ...slide, name: Buffer.from(`slide${index}.sld`) })),
      ]);
    },
    outcome: "too_large",
  },
  {
    what: "an OpenDocument of 300 MB",
    name: "content.odt",
    make: () =>
      makeZip([
        { name: "mimetype", content: "application/vnd.oasis.opendocument.text", isStored: true },
        { name: "content.xml", content: spaces(300) },
      ]),
    outcome: "too_large",
  },
  {
    what: "a media type of 300 MB",
    name: "mimetype.odt",
    make: () => makeZip([{ name: "mimetype", content: spaces(300) }]),
    outcome: "too_large",
  },
  {
    what: "a list of its parts of 300 MB",
    name: "types.docx",
    make: () => makeZip([{ name: "[Content_Types].xml", content: spaces(300) }]),
    outcome: "too_large",
  },
  {
    what: "archives in archives, five deep, sixteen wide",
    name: "nested.zip",
    make: () => nested(5),
    outcome: "unsupported",
  },
  {
    what: "a nested bomb among its embeddings",
    name: "embedded.docx",
    make: () => packZip(docx(text, { name: "word/embeddings/bomb.zip", content: nested(3) })),
    outcome: "ok",
  },
  {
    what: "a bomb for a picture, which nobody reads",
    name: "picture.docx",
    make: () => packZip(docx(text, { name: "word/media/image1.png", content: spaces(300) })),
    outcome: "ok",
  },
  {
    what: "1,000 entries that share one kernel of 20 MB",
    name: "overlapping.docx",
    make: () =>
      packOverlapping(zipRecord({ name: "word/document.xml", content: spaces(20) }), [
        "[Content_Types].xml",
        "word/document.xml",
        ...Array.from({ length: 998 }, (_, index) => `word/header${index}.xml`),
      ]),
    outcome: "too_large",
  },
  {
    what: "two entries that share their bytes",
    name: "twins.docx",
    make: () =>
      packOverlapping(zipRecord({ name: "word/document.xml", content: text }), [
        "[Content_Types].xml",
        "word/document.xml",
      ]),
    outcome: "too_large",
  },
  {
    what: "60,000 entries",
    name: "entries.docx",
    make: () => {
      const empty = zipRecord({ name: "", content: "", isStored: true });
      const many = Array.from({ length: 60_000 }, (_, index) => ({
        ...empty,
        name: Buffer.from(`word/${index}`),
      }));
      return packZip([...docx(text), ...many]);
    },
    outcome: "too_large",
  },
  {
    what: "a long string in half a million cells",
    name: "amplified.xlsx",
    make: () => {
      const long = "long ".repeat(6_000);
      return makeXlsx([{ name: "S", rows: Array.from({ length: 500_000 }, (_, index) => [long, index]) }]);
    },
    outcome: "truncated",
  },
  {
    what: "100 MB of honest text",
    name: "long.docx",
    make: () => packZip(docx(dullXml(100))),
    outcome: "truncated",
  },
  {
    what: "a million elements without a word",
    name: "wordless.docx",
    make: () =>
      packZip(
        docx(
          `<w:document>${Array.from({ length: 1_000_000 }, (_, i) => `<w:p w:id="${i}"/>`).join("")}</w:document>`,
        ),
      ),
    outcome: "empty",
  },
];

function openXml(parts: readonly [name: string, type: string, content: string | Buffer][]): Buffer {
  const overrides = parts.map(
    ([name, type]) => `<Override PartName="/${name}" ContentType="${openXmlTypes}.${type}+xml"/>`,
  );
  return makeZip([
    { name: "[Content_Types].xml", content: `<Types>${overrides.join("")}</Types>` },
    ...parts.map(([name, , content]) => ({ name, content })),
  ]);
}

function nested(depth: number): Buffer {
  const content = depth === 0 ? spaces(10) : nested(depth - 1);
  return makeZip(Array.from({ length: 16 }, (_, index) => ({ name: `${index}.zip`, content })));
}
