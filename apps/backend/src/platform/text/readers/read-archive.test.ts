import { makeZip } from "@svc/documents/make-zip";
import { makeOpenXmlPackage } from "@svc/documents/open-xml-package";
import { describe, expect, test } from "vitest";
import { readDocument } from "../../../../testing/read-document.ts";
import { readArchive } from "./read-archive.ts";

const read = (archive: Buffer) => readDocument(readArchive, archive);

describe("a document", () => {
  const word = "officedocument.wordprocessingml";
  const part = (name: string, contentType: string, body: string) => ({
    name,
    contentType: `${word}.${contentType}+xml`,
    xml: `<x:root xmlns:x="urn:x">${body}</x:root>`,
  });

  test("is found by its type, not its name, and read with its notes, comments, headers and footers", async () => {
    const archive = makeOpenXmlPackage([
      part("word/document2.xml", "document.main", "<x:p><x:t>body</x:t></x:p>"),
      part("word/header1.xml", "header", "<x:p><x:t>header</x:t></x:p>"),
      part("word/notes.xml", "footnotes", "<x:p><x:t>note</x:t></x:p>"),
      part("word/comments.xml", "comments", "<x:p><x:t>comment</x:t></x:p>"),
      part("word/settings.xml", "settings", "<x:p><x:t>setting</x:t></x:p>"),
    ]);
    expect(await read(archive)).toBe("body\nnote\ncomment\nheader\n");
  });

  test("contains neither deleted text, nor field instructions, nor a text box twice", async () => {
    const body =
      "<x:p><x:t>kept</x:t><x:delText>gone</x:delText><x:instrText>PAGE</x:instrText>" +
      "<x:Choice><x:t> box</x:t></x:Choice><x:Fallback><x:p><x:t>box</x:t></x:p></x:Fallback></x:p>";
    expect(await read(makeOpenXmlPackage([part("word/document.xml", "document.main", body)]))).toBe(
      "kept box\n",
    );
  });

  test("ignores elements named like properties of objects", async () => {
    const body = "<x:p><x:t>words</x:t></x:p><x:constructor/>";
    expect(await read(makeOpenXmlPackage([part("word/document.xml", "document.main", body)]))).toBe(
      "words\n",
    );
  });

  test("can be UTF-16", async () => {
    const xml = '\ufeff<?xml version="1.0" encoding="UTF-16"?><w:p xmlns:w="urn:w"><w:t>東京</w:t></w:p>';
    const types = `<Types><Default Extension="xml" ContentType="application/vnd.${word}.document.main+xml"/></Types>`;
    const archive = makeZip([
      { name: "[Content_Types].xml", content: types },
      { name: "word/document.xml", content: Buffer.from(xml, "utf16le") },
    ]);
    expect(await read(archive)).toContain("東京\n");
  });
});

test("a workbook contains inline strings, numbers and booleans, but no errors and no readings of words", async () => {
  const sheet = "officedocument.spreadsheetml";
  const archive = makeOpenXmlPackage([
    {
      name: "xl/workbook.xml",
      contentType: `${sheet}.sheet.main+xml`,
      xml: '<workbook><sheet name="S"/></workbook>',
    },
    {
      name: "xl/sharedStrings.xml",
      contentType: `${sheet}.sharedStrings+xml`,
      xml: "<sst><si><r><t>東</t></r><r><t>京</t></r><rPh><t>トウキョウ</t></rPh></si></sst>",
    },
    {
      name: "xl/worksheets/sheet1.xml",
      contentType: `${sheet}.worksheet+xml`,
      xml:
        '<worksheet><row><c t="s"><v>0</v></c><c t="inlineStr"><is><t>in</t></is></c><c><f>1+1</f><v>2</v></c>' +
        '<c t="e"><v>#REF!</v></c><c t="str"><v>text</v></c><c t="s"><v>9</v></c><c t="s"/></row></worksheet>',
    },
  ]);
  expect(await read(archive)).toBe("S\n東京\tin\t2\ttext\t\n\n");
});

test("an OpenDocument keeps its spaces and headers, but not deleted text", async () => {
  const archive = makeZip([
    { name: "mimetype", content: "application/vnd.oasis.opendocument.text", isStored: true },
    {
      name: "content.xml",
      content:
        "<o:body><t:tracked-changes><t:p>gone</t:p></t:tracked-changes>" +
        "<t:p>a<t:s/>b<t:tab/>c<t:line-break/>d<t:span>e</t:span></t:p></o:body>",
    },
    { name: "styles.xml", content: "<s:header><t:p>header</t:p></s:header><s:name>style</s:name>" },
  ]);
  expect(await read(archive)).toBe("a b\tc\nde\nheader\n");
});
