import { hostileFiles } from "../hostile-files/hostile-files.ts";

export interface LongDocument {
  name: string;
  make(): Uint8Array<ArrayBuffer>;
}

const megabytes = 2_000_000;
const text = (name: string, unit: string): LongDocument => ({
  name: `${name}.txt`,
  make: () => Buffer.from(unit.repeat(megabytes / Buffer.byteLength(unit))),
});
const differentWords = () =>
  Array.from({ length: megabytes / 8 }, (_, index) => (index * 7919).toString(36)).join(" ");

/** Documents that take long to decode, to analyse or to parse, and the hostile ones of the readers. */
export const longDocuments: readonly LongDocument[] = [
  text("one-ideograph", "漢"),
  text("one-letter", "a"),
  text("spaces", " "),
  text("newlines", "\n"),
  text("combining-marks", "\u0301"),
  text("a-letter-with-marks", "e\u0323\u0301"),
  { name: "stacked-marks.txt", make: () => Buffer.from(`e${"\u0323\u0301".repeat(megabytes / 4)}`) },
  text("squared-katakana", "㌔"),
  text("half-width-kana", "ｶﾞ"),
  text("expanding-letters", "ﷺ"),
  text("thai", "ก่"),
  text("korean", "에서는"),
  text("emoji", "👨‍👩‍👧‍👦"),
  text("quotes", "a'"),
  text("brackets", "["),
  text("lines", "The quick brown fox jumps over the lazy dog.\n"),
  text("control-characters", "a\0\u0007"),
  { name: "different-words.txt", make: () => Buffer.from(differentWords()) },
  { name: "latin1.txt", make: () => Buffer.from("é".repeat(megabytes), "latin1") },
  { name: "utf16.txt", make: () => Buffer.from(`\ufeff${"漢字 ".repeat(megabytes / 6)}`, "utf16le") },
  { name: "iso-2022-jp.txt", make: () => Buffer.from("\x1b$B4A;z\x1b(B".repeat(megabytes / 10), "latin1") },
  { name: "headers.txt", make: () => Buffer.from("Subject: x\n".repeat(megabytes / 11)) },
  ...hostileFiles.map(({ name, make }) => ({ name: `my-${name}`, make: () => Buffer.from(make()) })),
];

const rows = 20_000;

/** Files for `records import` into a collection with name, status and revenue. */
export const longImports: readonly LongDocument[] = [
  {
    name: "many-rows.csv",
    make: () => Buffer.from(`name,revenue\n${"漢字漢字,1\n".repeat(rows)}`),
  },
  { name: "long-rows.csv", make: () => Buffer.from(`name,body\n${`x,${"漢".repeat(19_000)}\n`.repeat(40)}`) },
  { name: "one-row.csv", make: () => Buffer.from(`name\n${"a".repeat(megabytes)}\n`) },
  { name: "quotes.csv", make: () => Buffer.from(`name\n${'"'.repeat(megabytes)}\n`) },
  { name: "columns.csv", make: () => Buffer.from(`${"name,".repeat(megabytes / 5)}\n`) },
  { name: "many-cells.csv", make: () => Buffer.from(`name\n${",".repeat(megabytes)}\n`) },
  { name: "wrong-rows.csv", make: () => Buffer.from(`name,revenue\n${"x,1.0.0\n".repeat(rows)}`) },
  { name: "digits.csv", make: () => Buffer.from(`name,revenue\nx,${"9".repeat(megabytes / 2)}\n`) },
  { name: "stacked-marks.csv", make: () => Buffer.from(`name\ne${"\u0323\u0301".repeat(9_000)}\n`) },
  { name: "carriage-returns.csv", make: () => Buffer.from("\r".repeat(megabytes)) },
  { name: "many-rows.jsonl", make: () => Buffer.from('{"name":"x","revenue":1}\n'.repeat(rows)) },
  { name: "nested.jsonl", make: () => Buffer.from(`{"name":${"[".repeat(megabytes / 2)}`) },
  {
    name: "many-fields.jsonl",
    make: () =>
      Buffer.from(`{${Array.from({ length: 100_000 }, (_, index) => `"nam${index}":1`).join(",")}}\n`),
  },
];
