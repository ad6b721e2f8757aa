import { expect, it } from "vitest";
import { parseQuery } from "../query/parse-query.ts";
import { analyseName } from "./analyse-name.ts";

/** Whether every typed word has all terms of one of its forms in the name, while somebody types. */
function finds(typed: string, name: string): boolean {
  const terms = new Set(analyseName(name).map(({ term }) => term));
  const { words } = parseQuery(typed, { isTyping: true });
  const isThere = (form: string[]) => form.every((term) => terms.has(term));
  const isBegun = (prefix: string) => [...terms].some((term) => term.startsWith(prefix));
  return (
    words.length > 0 &&
    words.every((word) => word.name.some(isThere) || (word.prefix !== undefined && isBegun(word.prefix)))
  );
}

it.each([
  [
    "Q3_report-2025.final.pdf",
    ["q3", "report", "2025", "final", "pdf", "report-2025", "Reports ", "Q3 2025", "rep"],
  ],
  ["AnnualReport.docx", ["annual", "report", "annualreport", "AnnualReport", "annual report.docx", "docx"]],
  ["annualreport.docx", ["AnnualReport "]],
  ["Annual Report.docx", ["AnnualReport ", "annualreport "]],
  ["PLT-3699", ["plt", "3699", "plt-3699", "plt3699 ", "PLT 3699"]],
  ["PLT3699.txt", ["plt-3699 ", "plt3699 "]],
  ["src/app/main.ts", ["main", "ts", "main.ts", "app/main.ts"]],
  ["HTMLParser2.java", ["html ", "parser ", "htmlparser2 "]],
  ["The Who", ["the who "]],
  ["Übersicht Größe.xlsx", ["ubersicht", "Übersicht ", "grosse ", "xlsx "]],
  ["請求書2025年.pdf", ["請求", "求書", "2025", "年", "請求書", "pdf"]],
  ["データベース設計.docx", ["デー", "ース設", "設計", "デ"]],
  ["รายงานประจำปี.pdf", ["ประจำปี", "รายงาน"]],
  ["회의록 2025.hwp", ["회의록 ", "회의"]],
  ["Отчёт_2025.pdf", ["отчет ", "отчёт "]],
])("%s is found", (name, typed) => {
  expect(typed.filter((words) => !finds(words, name))).toEqual([]);
});

it("keeps the whole name for a comparison with the whole query", () => {
  const whole = parseQuery("Q3_Report-2025.final.PDF").wholeName;
  expect(whole).toBe("q3_report-2025.final.pdf");
  expect(analyseName("Q3_report-2025.final.pdf").map(({ term }) => term)).toContain(whole);
});

it("no phrase crosses from the parts into the whole name", () => {
  const terms = analyseName("PLT-3699");
  const lastPart = terms.find(({ term }) => term === "3699")?.position ?? 0;
  const whole = terms.find(({ term }) => term === "plt-3699")?.position ?? 0;
  expect(whole - lastPart).toBeGreaterThan(1);
});

it.each(["", "...", "\0", "\ud800", "😀", "/", "\\", "-"])("accepts a name such as %j", (name) => {
  for (const { term } of analyseName(name)) expect(term.isWellFormed() && !term.includes("\0")).toBe(true);
});
