import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { estimateTokens } from "@svc/unicode/estimate-tokens";
import fc from "fast-check";
import { expect, test } from "vitest";
import { countTokens } from "./count-tokens.ts";

const repository = join(import.meta.dirname, "../..");
const file = (path: string) => readFileSync(join(repository, path), "utf8");
/** The same each time: the estimate of noise is only just enough. */
const noise = (length: number, of = "noise") =>
  createHash("shake256", { outputLength: length }).update(of).digest();
const uuid = (index: number) =>
  noise(16, `uuid ${index}`)
    .toString("hex")
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");

const texts: [string, string][] = [
  ["English", file("README.md") + file("docs/adr/0063-completion-by-one-call.md")],
  ["TypeScript", file("packages/command-router/src/catalog.ts")],
  ["JSON", file("package-lock.json").slice(0, 50_000)],
  ["indented JSON of hits", JSON.stringify(Array.from({ length: 50 }, hit), null, 2)],
  ["JSON of hits in one line", JSON.stringify(Array.from({ length: 50 }, hit))],
  [
    "German",
    "Die Aufbewahrungsfristen für Geschäftsunterlagen betragen zehn Jahre; Rechnungseingangsprüfungen erfolgen vierteljährlich gemäß Unternehmensrichtlinie.",
  ],
  [
    "Japanese",
    "本日の会議で議論された予算報告書を添付いたします。ご確認のうえ、ご意見をお聞かせください。よろしくお願いいたします。",
  ],
  ["Chinese", "随信附上今天会议讨论的预算报告，请审阅并提出意见。合同将于下个月到期，需要尽快续签。"],
  ["Korean", "오늘 회의에서 논의된 예산 보고서를 첨부합니다. 검토 후 의견을 주시기 바랍니다."],
  ["Russian", "Прилагаю отчёт о бюджете, который обсуждался на сегодняшнем совещании."],
  ["Arabic", "أرفق تقرير الميزانية الذي تمت مناقشته في اجتماع اليوم. يرجى المراجعة وإبداء الرأي."],
  ["Hindi", "आज की बैठक में चर्चा की गई बजट रिपोर्ट संलग्न है। कृपया समीक्षा करें।"],
  ["Thai", "ขอแนบรายงานงบประมาณที่หารือกันในที่ประชุมวันนี้ กรุณาตรวจสอบและให้ความเห็น"],
  ["emoji", "👩‍🚀🎉👍🏽🇩🇪🔥🧾📈🏭🛳️".repeat(10)],
  ["base64", noise(3_000).toString("base64")],
  ["hexadecimal", noise(3_000).toString("hex")],
  ["identifiers", Array.from({ length: 100 }, (_, index) => uuid(index)).join("\n")],
  ["consonants", noise(3_000).reduce((text, byte) => text + "bcdfghjklmnpqrstvwxz"[byte % 20], "")],
  ["capitals", noise(3_000).reduce((text, byte) => text + String.fromCharCode(65 + (byte % 26)), "")],
];

function hit(_: unknown, index: number) {
  return {
    entityType: "FILE",
    id: `file_${noise(16, `file ${index}`).toString("base64url").toLowerCase()}`,
    title: `Quarterly report ${index}.docx`,
    address: `marketing:/reports/2026/Q${index % 4}/Quarterly report ${index}.docx`,
    createdAt: new Date(index * 1e10).toISOString(),
    matched: "all words",
    snippet: [
      { text: "the net ", match: false },
      { text: "revenue", match: true },
    ],
    score: 1 / (index + 3),
  };
}

test.each(texts)("%s costs at most what is estimated, and not much less", (_name, text) => {
  const counted = countTokens(text);
  expect(estimateTokens(text)).toBeGreaterThanOrEqual(counted);
  expect(estimateTokens(text)).toBeLessThanOrEqual(6 * counted);
});

test("English prose is estimated at no more than twice its tokens", () => {
  const text = file("CHANGELOG.md");
  expect(estimateTokens(text) / countTokens(text)).toBeLessThan(2);
});

test("printable ASCII of any kind stays below the estimate", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "grapheme-ascii", minLength: 200, maxLength: 2_000, size: "max" }),
      (text) => {
        expect(estimateTokens(text)).toBeGreaterThanOrEqual(countTokens(text));
      },
    ),
    { numRuns: 200, seed: 72 },
  );
});

test("an empty text costs nothing", () => {
  expect(estimateTokens("")).toBe(0);
});
