import type { DocumentContent } from "./document-content.ts";
import { escapeXml } from "./xml.ts";

export function makeHtml({ title, paragraphs, table = [] }: DocumentContent): Buffer {
  const rows = table.map((row) => `<tr>${row.map((cell) => `<td>${escapeXml(cell)}</td>`).join("")}</tr>`);
  return Buffer.from(
    [
      `<!doctype html>\n<html><head><meta charset="utf-8"><title>${escapeXml(title)}</title>`,
      "<style>p { margin: 1em }</style></head><body>",
      `<h1>${escapeXml(title)}</h1>`,
      ...paragraphs.map((text) => `<p>${escapeXml(text)}</p>`),
      rows.length === 0 ? "" : `<table>${rows.join("\n")}</table>`,
      "</body></html>\n",
    ].join("\n"),
  );
}
