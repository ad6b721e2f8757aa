import { makePdf } from "@svc/documents/make-pdf";
import { packPdf } from "@svc/documents/pack-pdf";
import { expect, test } from "vitest";
import { readDocument } from "../../../../testing/read-document.ts";
import { readPdf } from "./read-pdf.ts";

test("pages in their order", async () => {
  const paragraphs = Array.from({ length: 100 }, (_, index) => `paragraph ${index}`);
  const text = await readDocument(readPdf, makePdf(paragraphs));
  expect(text.match(/paragraph \d+/g)).toEqual(paragraphs);
});

test("Japanese in an encoding that the file only names", async () => {
  const content = "BT /F 12 Tf <938c8b9e> Tj ET";
  const pdf = packPdf([
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
    "<< /Type /Page /Parent 2 0 R /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>",
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    "<< /Type /Font /Subtype /Type0 /BaseFont /Mincho /Encoding /90ms-RKSJ-H /DescendantFonts [6 0 R] >>",
    "<< /Type /Font /Subtype /CIDFontType0 /BaseFont /Mincho /CIDSystemInfo << /Registry (Adobe) /Ordering (Japan1) /Supplement 2 >> >>",
  ]);
  expect((await readDocument(readPdf, pdf)).trim()).toBe("東京");
});
