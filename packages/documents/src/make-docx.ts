import type { DocumentContent } from "./document-content.ts";
import { makeOpenXmlPackage } from "./open-xml-package.ts";
import { escapeXml } from "./xml.ts";

const namespace = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';

export function makeDocx({ title, paragraphs, table = [] }: DocumentContent): Buffer {
  const body = [paragraph(title, true), ...paragraphs.map((text) => paragraph(text)), tableOf(table)].join(
    "",
  );
  return makeOpenXmlPackage([
    {
      name: "word/document.xml",
      contentType: "officedocument.wordprocessingml.document.main+xml",
      xml: `<w:document ${namespace}><w:body>${body}<w:sectPr/></w:body></w:document>`,
    },
  ]);
}

function paragraph(text: string, isHeading = false): string {
  // Direct formatting instead of a style, which would need a separate part.
  const format = isHeading ? '<w:rPr><w:b/><w:sz w:val="36"/></w:rPr>' : "";
  return `<w:p><w:r>${format}<w:t xml:space="preserve">${escapeXml(text)}</w:t></w:r></w:p>`;
}

function tableOf(rows: DocumentContent["table"] = []): string {
  if (rows.length === 0) return "";
  const cells = (row: readonly string[]) => row.map((cell) => `<w:tc>${paragraph(cell)}</w:tc>`).join("");
  // Word requires a paragraph after a table.
  return `<w:tbl><w:tblPr/><w:tblGrid/>${rows.map((row) => `<w:tr>${cells(row)}</w:tr>`).join("")}</w:tbl><w:p/>`;
}
