/** Names that a Linux folder can hold and that something on the way may take for something else. Always the same. */
export function hostileNames(count: number): string[] {
  const names = new Set<string>();
  for (let round = 0; names.size < count; round += 1) {
    for (const make of kinds) {
      for (const name of make(round)) {
        if (names.size < count && canHold(name)) names.add(name);
      }
    }
  }
  return [...names];
}

const accented = ["é", "ö", "Å", "ñ", "が", "각", "ế", "क़"];
const emoji = ["🦊", "👩‍👩‍👧", "🏳️‍🌈", "❤️", "🇯🇵", "👍🏽"];
const bidi = ["\u202e", "\u202d", "\u2066", "\u2069", "\u200f", "\u061c"];
const invisible = ["\u200b", "\u200d", "\ufeff", "\u00ad", "\u2060", "\u00a0", "\u3000", "\u2028"];
const controls = ["\n", "\r", "\t", "\u001b[31m", "\u0007", "\u0000", "\u007f", "\u0085", "\u009b"];
const dots = ["..", "...", ".. ", "..\\", "‥", "．．", ".\u200b.", "%2e%2e", "..;", "..x", "x..", "…"];

const at = (list: readonly string[], round: number): string => list[round % list.length] ?? "";
const times = (text: string, bytes: number): string =>
  text.repeat(Math.max(1, Math.floor(bytes / Buffer.byteLength(text))));

const kinds: ((round: number) => string[])[] = [
  (round) => [`a\\b${round}`, `\\\\host\\x${round}`, `${round}\\`, `C:\\x${round}`],
  (round) => [`${at(accented, round)} ${round}`.normalize("NFC")],
  (round) => [`${at(accented, round)} ${round}`.normalize("NFD")],
  (round) => [`lonely ${at(accented, round)} ${round}`.normalize("NFD")],
  (round) => [`${at(bidi, round)}fdp.${round}`, `${round}${at(bidi, round)}exe.txt`],
  (round) => [`${at(invisible, round)}${round}`, `${round}${at(invisible, round)}x`],
  (round) => [`${at(controls, round)}${round}`, `${round}${at(controls, round)}`],
  (round) => [times("x", 255 - String(round).length) + round],
  (round) => [times(at(["ä", "漢", "🦊", "क़", "ﬁ"], round), 252 - (round % 3)) + (round % 3)],
  (round) => [times(at(accented, round).normalize("NFD"), 255)],
  (round) => [`${round}.`, `${round} `, ` ${round}`, `${round}. .`],
  (round) => [`Readme ${round}`, `README ${round}`, `readme ${round}`],
  (round) => [`ß${round}`, `ẞ${round}`, `SS${round}`, `ı${round}`, `İ${round}`],
  (round) => [`-${round}`, `--output=${round}`, `--`, `-rf ${round}`, `-`],
  (round) => [`${at(emoji, round)}${round}`, at(emoji, round)],
  (round) => [`見積書 ${round}.pdf`, `株式会社\u3000${round}`, `ｶﾞ${round}`, `한글${round}`],
  (round) => [at(dots, round), `${at(dots, round)}${round}`, `${round}${at(dots, round)}`],
  (round) => [`con`, `nul.${round}`, `COM${round % 10}`, `lpt1.txt`, `aux`],
  (round) => [
    `"${round}"`,
    `'${round}`,
    `$(${round})`,
    `\`${round}\``,
    `*${round}?`,
    `<${round}>|`,
    `~${round}`,
  ],
  (round) => [`.${round}`, `.hidden ${round}`, `file:${round}`, `http:${round}`, `${round}:stream`],
  (round) => [`e${"\u0301".repeat(20 + (round % 20))}${round}`],
  (round) => [`[${round}]`, `{"a":${round}}`, `${round}%00`, `;rm ${round}`, `&${round}`, `#${round}`],
];

function canHold(name: string): boolean {
  return (
    name !== "" &&
    name !== "." &&
    name !== ".." &&
    !name.includes("/") &&
    !name.includes("\0") &&
    Buffer.byteLength(name) <= 255
  );
}
