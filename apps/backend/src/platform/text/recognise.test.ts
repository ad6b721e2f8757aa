import { expect, test } from "vitest";
import { recognise } from "./recognise.ts";

test.each([
  [
    "a text that begins like a bitmap",
    "BMW sells cars. Größe",
    "a",
    { mediaType: "text/plain", reader: "text" },
  ],
  [
    "a page by its content",
    "\n<!-- x --><!DOCTYPE html><p>",
    "a.txt",
    { mediaType: "text/html", reader: "html" },
  ],
  [
    "a template that only begins like a page",
    "<html><?php",
    "a.php",
    { mediaType: "text/plain", reader: "text" },
  ],
  [
    "a text with two headers that is not a mail",
    "To: do\nSubject: x\n\n",
    "a",
    { mediaType: "text/plain", reader: "text" },
  ],
  ["XML without a name", "<?xml version='1.0'?><a/>", "a", { mediaType: "application/xml", reader: "text" }],
  [
    "an extension that every object has",
    "words",
    "a.constructor",
    { mediaType: "text/plain", reader: "text" },
  ],
  ["a PDF with lines before it", "\n\n%PDF-1.4", "a", { mediaType: "application/pdf", reader: "pdf" }],
  ["a PDF with noise before it", "\x01\x02\n%PDF-1.4", "a", { mediaType: "application/pdf", reader: "pdf" }],
  ["a text about PDF", "begins with %PDF-1.7", "a.ts", { mediaType: "text/plain", reader: "text" }],
  ["text with a NUL in it", "some\0 words in a row", "a.md", { mediaType: "text/markdown", reader: "text" }],
])("%s", async (_, content, name, recognised) => {
  expect(await recognise(Buffer.from(content, "latin1"), name)).toEqual(recognised);
});

test("a tape archive of texts is not a text", async () => {
  const header = Buffer.alloc(512);
  header.write("a.txt\0");
  header.write("0000644\x000000000\x000000000\x0000000001000\x0000000000000\0", 100);
  header.write("ustar\x0000", 257);
  header.write("        ", 148);
  header.write(
    `${header
      .reduce((sum, byte) => sum + byte, 0)
      .toString(8)
      .padStart(6, "0")}\0 `,
    148,
  );
  const tar = Buffer.concat([header, Buffer.alloc(3_000, "words ")]);
  expect(await recognise(tar, "a.txt")).toEqual({ mediaType: "application/x-tar" });
});
