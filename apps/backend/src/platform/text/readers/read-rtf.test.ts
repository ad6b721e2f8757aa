import { expect, test } from "vitest";
import { readDocument } from "../../../../testing/read-document.ts";
import { readRtf } from "./read-rtf.ts";

const read = (rtf: string) => readDocument(readRtf, Buffer.from(rtf, "latin1"));

test("Unicode with its substitutes, however many", async () => {
  expect(await read(String.raw`{\rtf1 \u26481?\u20140?x {\uc2\u-28419\'93\'73y}\u8364 z}`)).toBe(
    "東京x 都y€",
  );
});

test("bytes of the document's code page", async () => {
  expect(await read(String.raw`{\rtf1\ansi\ansicpg1251 \'cf\'f0\'e8\'e2\'e5\'f2}`)).toBe("Привет");
});

test("bytes of a font's charset, whose second half may be a letter", async () => {
  const fonts = String.raw`{\fonttbl{\f0\fcharset0 Arial;}{\f1\fcharset128 MS Mincho;}}`;
  expect(await read(String.raw`{\rtf1\ansi\deff0${fonts}caf\'e9 {\f1\'93\'8c\'8b\'9e\'83A} \'e9}`)).toBe(
    "café 東京ア é",
  );
});

test("paragraphs, cells, dashes and escapes", async () => {
  expect(await read(String.raw`{\rtf1 a\par b\tab c\line \{d\}\~e\emdash f\_g\-h\cell i\row}`)).toBe(
    "a\nb\tc\n{d} e—f-gh\ti\n",
  );
});

test("text boxes and results of fields, but no pictures, styles, names or instructions", async () => {
  const rtf = String.raw`{\rtf1{\stylesheet{\s1 Heading;}}{\info{\author Bob}}{\pict\bin3 }}}}{\*\generator Word;}shown
{\shp{\*\shpinst{\sp{\sn type}{\sv 202}}{\shptxt boxed\par}}}{\field{\*\fldinst HYPERLINK "http://x"}{\fldrslt link}}}`;
  expect(await read(rtf)).toBe("shownboxed\nlink");
});

test("ignores control words named like properties of objects", async () => {
  expect(await read(String.raw`{\rtf1 words\constructor}`)).toBe("words");
});
