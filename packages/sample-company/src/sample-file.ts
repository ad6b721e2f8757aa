import type { DocumentContent } from "@svc/documents/document-content";
import { makeDocx } from "@svc/documents/make-docx";
import { type Mail, makeEml } from "@svc/documents/make-eml";
import { makeHtml } from "@svc/documents/make-html";
import { makeOdp, makeOds, makeOdt } from "@svc/documents/make-opendocument";
import { makePdf } from "@svc/documents/make-pdf";
import { makePptx } from "@svc/documents/make-pptx";
import { makeRtf } from "@svc/documents/make-rtf";
import { makeXlsx, type Sheet } from "@svc/documents/make-xlsx";

export interface SampleFile {
  /** Below its folder. */
  path: string;
  content: Buffer;
}

const writers: Record<string, (content: DocumentContent) => Buffer> = {
  txt: ({ title, paragraphs, table = [] }) =>
    text([title, "", ...paragraphs.flatMap((paragraph) => [paragraph, ""]), ...table.map(joined("\t"))]),
  md: ({ title, paragraphs, table = [] }) =>
    text([`# ${title}`, "", ...paragraphs.flatMap((paragraph) => [paragraph, ""]), ...markdownTable(table)]),
  html: makeHtml,
  pdf: ({ title, paragraphs, table = [] }) => makePdf([title, ...paragraphs, ...table.map(joined("   "))]),
  docx: makeDocx,
  odt: makeOdt,
  rtf: makeRtf,
};

/** In the format that the name's extension says. */
export function documentFile(path: string, content: DocumentContent): SampleFile {
  return { path, content: writerFor(writers, path)(content) };
}

const sheetWriters: Record<string, (sheets: readonly Sheet[]) => Buffer> = {
  xlsx: makeXlsx,
  ods: makeOds,
  csv: ([sheet]) => text((sheet?.rows ?? []).map((row) => row.map(csvCell).join(","))),
};

export function sheetFile(path: string, sheets: readonly Sheet[]): SampleFile {
  return { path, content: writerFor(sheetWriters, path)(sheets) };
}

export function slidesFile(path: string, slides: readonly DocumentContent[]): SampleFile {
  return { path, content: writerFor({ pptx: makePptx, odp: makeOdp }, path)(slides) };
}

export function mailFile(path: string, mail: Mail): SampleFile {
  return { path, content: makeEml(mail) };
}

export function textFile(path: string, content: string): SampleFile {
  return { path, content: Buffer.from(content) };
}

function writerFor<T>(writers: Record<string, T>, path: string): T {
  const writer = writers[path.slice(path.lastIndexOf(".") + 1)];
  if (writer === undefined) throw new Error(`${path} has a format that is not written here`);
  return writer;
}

function text(lines: readonly string[]): Buffer {
  return Buffer.from(`${lines.join("\n").trimEnd()}\n`);
}

function joined(separator: string) {
  return (row: readonly string[]) => row.join(separator);
}

function markdownTable([head, ...rows]: NonNullable<DocumentContent["table"]>): string[] {
  if (head === undefined) return [];
  const line = (row: readonly string[]) => `| ${row.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)];
}

function csvCell(cell: string | number): string {
  const shown = String(cell);
  return /[",\n]/.test(shown) ? `"${shown.replaceAll('"', '""')}"` : shown;
}
