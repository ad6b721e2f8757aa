import type { DocumentContent } from "./document-content.ts";
import type { Sheet } from "./make-xlsx.ts";
import { makeZip } from "./make-zip.ts";
import { escapeXml, xmlDeclaration } from "./xml.ts";

const oasis = "urn:oasis:names:tc:opendocument:xmlns";
const namespaces = ["office", "text", "table", "drawing:draw", "presentation"]
  .map((name) => {
    const [space = "", prefix = space] = name.split(":");
    return `xmlns:${prefix}="${oasis}:${space}:1.0"`;
  })
  .join(" ");

export function makeOdt({ title, paragraphs, table = [] }: DocumentContent): Buffer {
  const rows = table.length === 0 ? "" : tableOf({ name: "1", rows: table });
  return makePackage("text", heading(title) + paragraphs.map(paragraph).join("") + rows);
}

export function makeOds(sheets: readonly Sheet[]): Buffer {
  return makePackage("spreadsheet", sheets.map(tableOf).join(""));
}

/** One slide for each document: its title and its paragraphs. */
export function makeOdp(slides: readonly DocumentContent[]): Buffer {
  const page = ({ title, paragraphs }: DocumentContent, index: number) =>
    `<draw:page draw:name="page${index + 1}"><draw:frame><draw:text-box>${paragraph(title)}` +
    `${paragraphs.map(paragraph).join("")}</draw:text-box></draw:frame></draw:page>`;
  return makePackage("presentation", slides.map(page).join(""));
}

function makePackage(kind: "text" | "spreadsheet" | "presentation", body: string): Buffer {
  const mediaType = `application/vnd.oasis.opendocument.${kind}`;
  const entry = (path: string, type: string) =>
    `<manifest:file-entry manifest:full-path="${path}" manifest:media-type="${type}"/>`;
  return makeZip([
    { name: "mimetype", content: mediaType, isStored: true },
    {
      name: "content.xml",
      content:
        `${xmlDeclaration}<office:document-content ${namespaces} office:version="1.3">` +
        `<office:body><office:${kind}>${body}</office:${kind}></office:body></office:document-content>`,
    },
    {
      name: "META-INF/manifest.xml",
      content:
        `${xmlDeclaration}<manifest:manifest xmlns:manifest="${oasis}:manifest:1.0" manifest:version="1.3">` +
        `${entry("/", mediaType)}${entry("content.xml", "text/xml")}</manifest:manifest>`,
    },
  ]);
}

function heading(text: string): string {
  return `<text:h text:outline-level="1">${escapeXml(text)}</text:h>`;
}

function paragraph(text: string): string {
  return `<text:p>${escapeXml(text)}</text:p>`;
}

function tableOf({ name, rows }: Sheet): string {
  const cell = (value: string | number) => {
    const type =
      typeof value === "number"
        ? `office:value-type="float" office:value="${value}"`
        : 'office:value-type="string"';
    return `<table:table-cell ${type}>${paragraph(String(value))}</table:table-cell>`;
  };
  const lines = rows.map((row) => `<table:table-row>${row.map(cell).join("")}</table:table-row>`);
  return `<table:table table:name="${escapeXml(name)}">${lines.join("")}</table:table>`;
}
