import { gzipSync } from "node:zlib";
import { makePdf } from "@svc/documents/make-pdf";
import { makeZip } from "@svc/documents/make-zip";
import type { HostileFile } from "./hostile-file.ts";

const png = Buffer.from("89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489", "hex");

export const hostileTexts: HostileFile[] = [
  {
    what: "one line of 100 MB",
    name: "line.txt",
    make: () => Buffer.alloc(100 * 1024 ** 2, "x"),
    outcome: "truncated",
  },
  {
    what: "100 MB of Japanese in one line",
    name: "line.csv",
    make: () => Buffer.alloc(99 * 1024 ** 2, "日本語"),
    outcome: "truncated",
  },
  {
    what: "a broken byte in every word",
    name: "broken.txt",
    make: () => bytes("wo\xffrd wo\xc3rd wo\xe6\x9drd\n", 20_000),
    outcome: "ok",
  },
  {
    what: "forms of UTF-8 that are forbidden",
    name: "overlong.txt",
    make: () => bytes("a \xc0\xaf \xe0\x80\xaf \xed\xa0\x80 \xf4\x90\x80\x80 \xfe\xff\n", 2_000),
    outcome: "ok",
  },
  {
    what: "8 MB that end in half a character",
    name: "half.txt",
    make: () => Buffer.alloc(8 * 1024 ** 2 + 10, "日"),
    outcome: "truncated",
  },
  {
    what: "NULs among its words",
    name: "nul.txt",
    make: () => bytes("some\0 words\0 and more\n", 20_000),
    outcome: "ok",
  },
  {
    what: "a megabyte of NULs",
    name: "nuls.txt",
    make: () => Buffer.alloc(1024 ** 2),
    outcome: "unsupported",
  },
  {
    what: "half of surrogate pairs",
    name: "surrogates.txt",
    make: () => Buffer.from("\ufeffa\ud842b\udfb7c", "utf16le"),
    outcome: "ok",
  },
  {
    what: "UTF-16 with half a unit at its end",
    name: "odd.txt",
    make: () => Buffer.from("\ufeffwords", "utf16le").subarray(0, -1),
    outcome: "ok",
  },
  {
    what: "a mark of UTF-16 and nothing else",
    name: "mark.txt",
    make: () => Buffer.from([0xff, 0xfe]),
    outcome: "empty",
  },
  {
    what: "a mark of UTF-8 and nothing else",
    name: "mark.md",
    make: () => Buffer.from([0xef, 0xbb, 0xbf]),
    outcome: "empty",
  },
  { what: "no byte at all", name: "nothing.pdf", make: () => Buffer.alloc(0), outcome: "empty" },
  { what: "a single byte", name: "one.docx", make: () => Buffer.from("x"), outcome: "ok" },
  {
    what: "commands to a terminal",
    name: "terminal.log",
    make: () => bytes("\x1b[2J\x1b]0;title\x07words\n", 5_000),
    outcome: "ok",
  },
  {
    what: "a million brackets",
    name: "brackets.json",
    make: () => Buffer.alloc(1_000_000, "["),
    outcome: "ok",
  },
  {
    what: "eight million fields",
    name: "fields.csv",
    make: () => Buffer.alloc(8_000_000, ","),
    outcome: "truncated",
  },
  {
    what: "4 MB that grow to 12 when decoded",
    name: "swollen.txt",
    make: () => Buffer.concat([Buffer.from("日本語"), Buffer.alloc(4_000_000, 0x81)]),
    outcome: "truncated",
  },
  {
    what: "an extension that is a property of objects",
    name: "words.constructor",
    make: () => Buffer.from("words"),
    outcome: "ok",
  },
  {
    what: "entities, which stay as they are",
    name: "laughs.xml",
    make: () => Buffer.from('<!DOCTYPE x [<!ENTITY a "lol">]><x>&a;</x>'),
    outcome: "ok",
  },
  {
    what: "escapes of an encoding that never come to an end",
    name: "escapes.txt",
    make: () => bytes("\x1b$B\x1b(B\x1b$@words", 100_000),
    outcome: "ok",
  },
  {
    what: "every byte there is, called a text",
    name: "noise.txt",
    make: () => Buffer.from(Array.from({ length: 100_000 }, (_, i) => (i * 7919) >> 3)),
    outcome: "unsupported",
  },
  { what: "a picture called a document", name: "png.docx", make: () => png, outcome: "unsupported" },
  {
    what: "a picture with an archive at its end",
    name: "polyglot.png",
    make: () => Buffer.concat([png, makeZip([{ name: "[Content_Types].xml", content: "<Types/>" }])]),
    outcome: "unsupported",
  },
  {
    what: "a PDF that is an archive too",
    name: "polyglot.pdf",
    make: () => Buffer.concat([makePdf(["words"]), makeZip([{ name: "a", content: "b" }])]),
    outcome: "ok",
  },
  {
    what: "a gigabyte in a gzip of a megabyte",
    name: "bomb.txt.gz",
    make: () => gzipSync(Buffer.alloc(1024 ** 3)),
    outcome: "unsupported",
  },
  {
    what: "a program",
    name: "program.txt",
    make: () => Buffer.concat([Buffer.from("7f454c4602010100", "hex"), Buffer.alloc(5_000)]),
    outcome: "unsupported",
  },
];

function bytes(text: string, times: number): Buffer {
  return Buffer.from(text.repeat(times), "latin1");
}
