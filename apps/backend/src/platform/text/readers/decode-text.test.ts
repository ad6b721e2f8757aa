import { expect, test } from "vitest";
import { decodeText } from "./decode-text.ts";

const japanese = "本日は晴天なり。東京都の売上高は前年に比べて増加した。";

/** The same in Shift_JIS. */
const shiftJis = Buffer.from(
  "967b93fa82cd90b0935682c882e88142938c8b9e937382cc94848fe38d8282cd914f944e82c994e482d782c4919d89c182b582bd8142",
  "hex",
);

test("text in UTF-8, with or without a byte order mark", () => {
  expect(decodeText(Buffer.from(japanese))).toBe(japanese);
  expect(decodeText(Buffer.from(`\ufeff${japanese}`))).toBe(japanese);
});

test("text in UTF-16, with or without a byte order mark", () => {
  const text = "Minutes of the meeting in Zürich";
  expect(decodeText(Buffer.from(text, "utf16le"))).toBe(text);
  expect(decodeText(Buffer.from(text, "utf16le").swap16())).toBe(text);
  expect(decodeText(Buffer.from(`\ufeff${text}`, "utf16le"))).toBe(text);
  expect(decodeText(Buffer.from(`\ufeff${text}`, "utf16le").swap16())).toBe(text);
});

test("Japanese text in Shift_JIS", () => {
  expect(decodeText(shiftJis)).toBe(japanese);
});

test("Japanese text in ISO-2022-JP, which is ASCII with escapes", () => {
  expect(decodeText(Buffer.from("\x1b$BEl5~ET\x1b(B mail", "latin1"))).toBe("東京都 mail");
});

test("western text in windows-1252", () => {
  const text = "Le café de Zürich était fermé à midi, et la pâtisserie aussi.";
  expect(decodeText(Buffer.from(text, "latin1"))).toBe(text);
});

test("UTF-8 with a broken byte stays UTF-8", () => {
  const bytes = Buffer.concat([Buffer.from(japanese), Buffer.from([0xff]), Buffer.from(japanese)]);
  expect(decodeText(bytes)).toBe(`${japanese}\ufffd${japanese}`);
});

test("an encoding that shows only after megabytes of English", () => {
  const english = "plain words ".repeat(100_000);
  expect(decodeText(Buffer.from(`${english}café à Zürich, déjà vu là-bas`, "latin1"))).toContain(
    "café à Zürich",
  );
});

test("a truncated text does not end in half a character", () => {
  expect(decodeText(Buffer.from("日本").subarray(0, 5), { isCut: true })).toBe("日");
});

test("neither NUL nor half a surrogate pair", () => {
  expect(decodeText(Buffer.from("a\0b"))).toBe("ab");
  expect(decodeText(Buffer.from("\ufeffa\ud842b", "utf16le"))).toBe("a\ufffdb");
});
