import type { DocumentContent } from "./document-content.ts";

export function makeRtf({ title, paragraphs, table = [] }: DocumentContent): Buffer {
  const rows = table.map((row) => {
    const edges = row.map((_, index) => `\\cellx${(index + 1) * 2000}`).join("");
    return `\\trowd${edges} ${row.map((cell) => `\\intbl ${escapeRtf(cell)}\\cell`).join("")}\\row\n`;
  });
  const body = [
    `{\\b\\fs36 ${escapeRtf(title)}}\\par\n`,
    ...paragraphs.map((text) => `${escapeRtf(text)}\\par\n`),
    ...rows,
  ];
  return Buffer.from(
    `{\\rtf1\\ansi\\ansicpg1252\\deff0{\\fonttbl{\\f0 Times New Roman;}}\n${body.join("")}}`,
    "latin1",
  );
}

/** Beyond ASCII as UTF-16 units in signed decimals, each followed by a substitute for programs of the last century. */
function escapeRtf(text: string): string {
  return text.replace(/[\\{}]|[^ -~]/g, (unit) => {
    const code = unit.charCodeAt(0);
    return code < 0x80 ? `\\${unit}` : `\\u${code > 0x7fff ? code - 0x1_0000 : code}?`;
  });
}
