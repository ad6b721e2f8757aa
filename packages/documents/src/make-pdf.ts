import { packPdf } from "./pack-pdf.ts";

const linesOnAPage = 48;
/** In Latin letters; a Japanese character is as wide as two. */
const lineWidth = 84;

/**
 * A4 pages of text, one paragraph after the other. Nothing is embedded: Latin letters are in Helvetica, all else in the
 * Japanese font that viewers have, encoded as most Japanese PDFs are, by a table that the viewer has to know.
 */
export function makePdf(paragraphs: readonly string[]): Buffer {
  const lines = paragraphs.flatMap((text) => [...wrap(text), ""]);
  const pages: string[][] = [];
  for (let start = 0; start < lines.length; start += linesOnAPage) {
    pages.push(lines.slice(start, start + linesOnAPage));
  }
  return packPdf([
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((_, index) => `${7 + index * 2} 0 R`).join(" ")}] >>`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    "<< /Type /Font /Subtype /Type0 /BaseFont /HeiseiMin-W3 /Encoding /UniJIS-UTF16-H /DescendantFonts [5 0 R] >>",
    "<< /Type /Font /Subtype /CIDFontType0 /BaseFont /HeiseiMin-W3 /DW 1000 /FontDescriptor 6 0 R " +
      "/CIDSystemInfo << /Registry (Adobe) /Ordering (Japan1) /Supplement 6 >> >>",
    "<< /Type /FontDescriptor /FontName /HeiseiMin-W3 /Flags 6 /FontBBox [-123 -257 1001 910] /ItalicAngle 0 " +
      "/Ascent 709 /Descent -241 /CapHeight 709 /StemV 69 >>",
    ...pages.flatMap((page, index) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${8 + index * 2} 0 R ` +
        "/Resources << /Font << /Latin 3 0 R /Japanese 4 0 R >> >> >>",
      stream(`BT 15 TL 56 780 Td ${page.map((line) => `${shown(line)} T*`).join("\n")} ET`),
    ]),
  ]);
}

function stream(content: string): string {
  return `<< /Length ${content.length} >>\nstream\n${content}\nendstream`;
}

/** Runs of letters that one font has. */
function shown(line: string): string {
  const runs = line.match(/[ -~]+|[^ -~]+/g) ?? [];
  return runs
    .map((run) => {
      const isLatin = /^[ -~]/.test(run);
      const hex = isLatin ? Buffer.from(run, "latin1") : Buffer.from(run, "utf16le").swap16();
      return `/${isLatin ? "Latin" : "Japanese"} 11 Tf <${hex.toString("hex")}> Tj`;
    })
    .join(" ");
}

/** Between words; within them if the script has no spaces. */
function wrap(text: string): string[] {
  const lines: string[] = [];
  let line = "";
  let width = 0;
  for (const piece of text.match(/[!-~]+ *| +|[^ -~]/g) ?? []) {
    const pieceWidth = /^[ -~]/.test(piece) ? piece.trimEnd().length : 2;
    if (width + pieceWidth > lineWidth && line !== "") {
      lines.push(line);
      line = "";
      width = 0;
    }
    line += piece;
    width += /^[ -~]/.test(piece) ? piece.length : 2;
  }
  return [...lines, line];
}
