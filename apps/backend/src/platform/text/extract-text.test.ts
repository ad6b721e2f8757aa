import { randomUUID } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DocumentContent } from "@svc/documents/document-content";
import { makeDocx } from "@svc/documents/make-docx";
import { makeEml } from "@svc/documents/make-eml";
import { makeHtml } from "@svc/documents/make-html";
import { makeOdp, makeOds, makeOdt } from "@svc/documents/make-opendocument";
import { makePdf } from "@svc/documents/make-pdf";
import { makePptx } from "@svc/documents/make-pptx";
import { makeRtf } from "@svc/documents/make-rtf";
import { makeXlsx } from "@svc/documents/make-xlsx";
import { makeZip } from "@svc/documents/make-zip";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type Extraction, extractText } from "./extract-text.ts";
import { maxTextBytes } from "./readers/extraction-limits.ts";
import { runReader } from "./run-reader.ts";

vi.mock("./run-reader.ts", { spy: true });

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "extract-text-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function extract(
  name: string,
  content: string | Uint8Array,
  options: { signal?: AbortSignal } = {},
): Promise<Extraction> {
  // Separate, because a late read would see the next one.
  const path = join(folder, randomUUID());
  const bytes = Buffer.from(content as Uint8Array);
  await writeFile(path, bytes);
  return extractText({ path, name, size: bytes.length }, options);
}

const office = "application/vnd.openxmlformats-officedocument";
const openDocument = "application/vnd.oasis.opendocument";

const content: DocumentContent = {
  title: "Quarterly report 四半期報告",
  paragraphs: ['The harbour café & <co> was "closed".', "東京都の売上高は増加した。𠮷野家 {x}\\y"],
  table: [
    ["Item", "価格"],
    ["Tea", "120"],
  ],
};
const inParagraphs = [content.title, ...content.paragraphs].join("\n");
const slides = [content, { title: "Outlook", paragraphs: ["見通し"] }];
const sheets = [
  {
    name: "売上 2026",
    rows: [
      ["Item", "価格"],
      ["Tea", 120.5],
      ["Tea", 7],
    ],
  },
  { name: "Notes", rows: [["in stock"]] },
];

describe("the text of", () => {
  test.each([
    [
      "a DOCX",
      "a.docx",
      makeDocx(content),
      `${office}.wordprocessingml.document`,
      `${inParagraphs}\nItem 価格\nTea 120`,
    ],
    ["an ODT", "a.odt", makeOdt(content), `${openDocument}.text`, `${inParagraphs}\n1\nItem 価格\nTea 120`],
    ["an RTF", "a.rtf", makeRtf(content), "application/rtf", `${inParagraphs}\nItem 価格\nTea 120`],
    [
      "an HTML page",
      "a.html",
      makeHtml(content),
      "text/html",
      `${content.title}\n${inParagraphs}\nItem 価格\nTea 120`,
    ],
    ["a PDF", "a.pdf", makePdf([content.title, ...content.paragraphs]), "application/pdf", inParagraphs],
    [
      "a PPTX",
      "a.pptx",
      makePptx(slides),
      `${office}.presentationml.presentation`,
      `${inParagraphs}\nOutlook\n見通し`,
    ],
    ["an ODP", "a.odp", makeOdp(slides), `${openDocument}.presentation`, `${inParagraphs}\nOutlook\n見通し`],
    [
      "an XLSX",
      "a.xlsx",
      makeXlsx(sheets),
      `${office}.spreadsheetml.sheet`,
      "売上 2026\nNotes\nItem 価格\nTea 120.5\nTea 7\nin stock",
    ],
    [
      "an ODS",
      "a.ods",
      makeOds(sheets),
      `${openDocument}.spreadsheet`,
      "売上 2026\nItem 価格\nTea 120.5\nTea 7\nNotes\nin stock",
    ],
    [
      "a mail, with the names of its attachments",
      "a.eml",
      makeEml({
        subject: content.title,
        from: "山田 <yamada@example.test>",
        to: "bob@example.test",
        paragraphs: content.paragraphs,
        attachments: [{ name: "見積書.pdf", content: makePdf(["not opened"]) }],
      }),
      "message/rfc822",
      `${content.title}\n山田 yamada@example.test\nbob@example.test\n${content.paragraphs.join("\n")}\n見積書.pdf`,
    ],
  ])("%s", async (_, name, bytes, mediaType, text) => {
    const found = await extract(name, bytes);
    expect({ ...found, text: inLines(found.text) }).toEqual({ outcome: "ok", mediaType, text });
  });

  test.each([
    ["notes.md", "# Title\n\n*word*", "text/markdown"],
    ["data.csv", "name,price\nTea,120", "text/csv"],
    ["data.json", '{"name":"Tea"}', "application/json"],
    ["main.rs", 'fn main() { println!("hi") }', "text/plain"],
    ["LICENSE", "Permission is hereby granted", "text/plain"],
    ["notes.txt", "東京都", "text/plain"],
  ])("%s, unchanged and without a process", async (name, text, mediaType) => {
    vi.mocked(runReader).mockClear();
    expect(await extract(name, text)).toEqual({ outcome: "ok", text, mediaType });
    expect(runReader).not.toHaveBeenCalled();
  });
});

test("a text of 4 kB takes a fraction of a millisecond", async () => {
  const path = join(folder, "small");
  const text = "All work and no play. 東京都の売上高は増加した。".repeat(100).slice(0, 2_000);
  await writeFile(path, text);
  const size = Buffer.byteLength(text);
  const read = () => extractText({ path, name: "small.txt", size });
  for (let time = 0; time < 50; time += 1) await read();
  const times = 60;
  // CPU time, not wall time, and the best of five, because other tests run in parallel.
  const costs: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    const before = process.cpuUsage();
    for (let time = 0; time < times; time += 1) await read();
    const { user, system } = process.cpuUsage(before);
    costs.push((user + system) / times);
  }
  // In microseconds; on an idle machine it is 100.
  expect(Math.min(...costs)).toBeLessThan(500);
});

describe("recognises", () => {
  test.each([
    ["a DOCX called .pdf", "a.pdf", makeDocx(content), `${office}.wordprocessingml.document`],
    ["a PDF called .txt", "a.txt", makePdf(["word"]), "application/pdf"],
    ["an RTF called .doc", "a.doc", makeRtf(content), "application/rtf"],
    ["a page called .xls", "a.xls", makeHtml(content), "text/html"],
    ["a text called .docx", "a.docx", Buffer.from("plain words"), "text/plain"],
    [
      "a mail without a name",
      "message",
      makeEml({ subject: "Hi", from: "a@b.c", to: "d@e.f", paragraphs: ["x"] }),
      "message/rfc822",
    ],
  ])("%s", async (_, name, bytes, mediaType) => {
    expect(await extract(name, bytes)).toMatchObject({ outcome: "ok", mediaType });
  });

  test.each([
    [
      "an image",
      "a.txt",
      Buffer.from("89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489", "hex"),
      "image/png",
    ],
    [
      "an archive that is not an office format",
      "a.docx",
      makeZip([{ name: "a.txt", content: "hidden" }]),
      "application/zip",
    ],
    [
      "bytes of any kind",
      "a.txt",
      Buffer.from(Array.from({ length: 3_000 }, (_, i) => (i * i * 7919) >> 5)),
      "application/octet-stream",
    ],
  ])("%s is not read", async (_, name, bytes, mediaType) => {
    expect(await extract(name, bytes)).toEqual({ outcome: "unsupported", text: "", mediaType });
  });
});

test.each([
  ["a text", "a.txt", Buffer.alloc(0)],
  ["white space", "a.txt", Buffer.from(" \n\t ")],
  ["a document", "a.docx", makeDocx({ title: "", paragraphs: [] })],
  ["pages without words", "a.pdf", makePdf([""])],
])("%s without a word is empty", async (_, name, bytes) => {
  expect((await extract(name, bytes)).outcome).toBe("empty");
});

test("truncates a long text between two characters", async () => {
  const found = await extract("a.txt", "日".repeat(1_500_000));
  expect(found.outcome).toBe("truncated");
  expect(found.text).toMatch(/^日+$/);
  expect(Buffer.byteLength(found.text)).toBeGreaterThan(maxTextBytes - 10);
});

test("truncates a text that grows when decoded", async () => {
  // Cyrillic takes one byte in windows-1251, two in UTF-8.
  const russian = Buffer.from("cff0e8e2e5f22c20eae0ea20e4e5ebe03f20", "hex");
  const found = await extract("a.txt", Buffer.alloc(2_000_000, russian));
  expect(found.outcome).toBe("truncated");
  expect(found.text).toMatch(/^Привет, как дела\? /);
  expect(Buffer.byteLength(found.text)).toBeLessThanOrEqual(maxTextBytes);
});

test("truncates a long document between two characters", async () => {
  // Includes numbers, because text that compresses to a thousandth is taken for a bomb.
  const paragraph = Array.from({ length: 500_000 }, (_, index) => `𠮷𠮷𠮷${index}`).join("");
  const found = await extract("a.docx", makeDocx({ title: "x", paragraphs: [paragraph] }));
  expect(found.outcome).toBe("truncated");
  expect(found.text).toMatch(/^x\n[𠮷\d]+$/u);
  expect(Buffer.byteLength(found.text)).toBeGreaterThan(maxTextBytes - 10);
});

test("leaves out characters that cannot be stored", async () => {
  const rtf = String.raw`{\rtf1 before\u-10179?after\u0?.}`;
  expect((await extract("a.rtf", rtf)).text).toBe("before\ufffdafter.");
  expect((await extract("a.txt", "one\0two")).text).toBe("onetwo");
});

test("an abort stops reading and is thrown", async () => {
  const reading = extract("a.docx", makeDocx(content), { signal: AbortSignal.timeout(20) });
  await expect(reading).rejects.toThrow("aborted due to timeout");
  await expect(extract("a.txt", "x", { signal: AbortSignal.abort(new Error("left")) })).rejects.toThrow(
    "left",
  );
});

test("more documents than cores take turns", async () => {
  const path = join(folder, "shared.docx");
  const bytes = makeDocx(content);
  await writeFile(path, bytes);
  const readings = Array.from({ length: 6 }, () => extractText({ path, name: "a.docx", size: bytes.length }));
  expect((await Promise.all(readings)).map(({ outcome }) => outcome)).toEqual(Array(6).fill("ok"));
});

/** Formats differ in the white space between words, which does not matter here. */
function inLines(text: string): string {
  return text
    .split("\n")
    .map((line) => line.trim().replace(/\s+/g, " "))
    .filter((line) => line !== "")
    .join("\n");
}
