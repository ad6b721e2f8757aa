import { growth, mostGrowth } from "@svc/testing/growth";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseQuery } from "../query/parse-query.ts";
import { analyseText, languagesOfText } from "./analyse-text.ts";

const termsOf = (text: string) => [...analyseText(text)].map(({ term }) => term);

/** Whether every typed word has a form in the text, as the ranking sees it. */
function finds(typed: string, text: string): boolean {
  const terms = new Set(termsOf(text));
  const words = parseQuery(`${typed} `).words.filter(({ body }) => body.length > 0);
  return words.length > 0 && words.every(({ body }) => body.some((form) => terms.has(form)));
}

describe("a text is found by another form of its words", () => {
  it.each([
    ["English", "The companies were running tests", "company run test"],
    ["English, possessive", "the patient’s history", "patients"],
    ["English, accents", "a résumé in the café", "resume cafe"],
    ["German", "Die Häuser der Stadt sind nicht alt und auch nicht neu", "Haus"],
    ["German question", "Die Häuser der Stadt sind nicht alt", "Wie alt ist das Haus in der Stadt"],
    ["German, ß", "Die Straßen und die Plätze sind nicht für alle", "strasse"],
    ["French", "Les chevaux sont dans les prés avec une jument", "cheval"],
    ["French, elision", "Il a vu l'eau et l’école dans cette ville", "eau ecole"],
    ["Spanish", "Las casas de los abuelos están muy cerca de la playa", "las casa de los abuelo"],
    ["Russian", "Он пришёл с книгами", "книга пришел"],
    ["Arabic", "ذهب الطالب إلى والمدرسة الكبيرة", "مدرسة"],
    ["Arabic, vowel signs", "كِتَابٌ", "كتاب"],
    ["Hindi", "किताबें और घरों में", "किताब घर"],
    ["Greek", "Οι πόλεις της Ελλάδας", "ελλαδα"],
    ["Thai", "ภาษาไทยเป็นภาษาที่มีระดับเสียง", "ระดับเสียง"],
    ["Chinese", "中华人民共和国的首都是北京", "首都 北京"],
    ["Chinese, one character", "中华人民共和国", "国"],
    ["Japanese", "東京都の予算とデータベース", "東京都 データ"],
    ["Japanese, half width", "ｶﾞｲﾄﾞﾌﾞｯｸ", "ガイドブック"],
    ["Japanese, squared", "㈱山田", "株 山田"],
    ["Korean", "학교에서 공부를 했다", "학교 공부"],
    ["Korean, a noun like a particle", "고양이는 잔다", "고양이"],
    ["Hebrew, points", "שָׁלוֹם", "שלום"],
    ["Yoruba", "Ọjọ́ àìkú", "ojo aiku"],
    ["Turkish capital", "İSTANBUL", "istanbul"],
    ["full width", "ＡＢＣ１２３", "abc123"],
    ["ligature", "ﬁnance", "finance"],
    ["soft hyphen", "Donau\u00addampfschiff", "donaudampfschiff"],
  ])("%s", (_language, text, typed) => {
    expect(finds(typed, text)).toBe(true);
  });

  it("and not by a word that only looks similar", () => {
    expect(finds("京都", "東京の都")).toBe(false);
    expect(finds("universe", "the unit")).toBe(false);
  });
});

it("keeps the common form for other languages, so that a wrong guess loses nothing", () => {
  expect(termsOf("Die Häuser der Stadt sind nicht alt")).toEqual(
    expect.arrayContaining(["hauser", "haus", "stadt"]),
  );
});

it.each([
  ["Die Häuser der Stadt sind nicht alt und auch nicht neu", ["de"]],
  ["Le rapport annuel des ventes est dans le dossier avec les autres", ["fr"]],
  ["El informe de las ventas está en la carpeta con los otros", ["es"]],
  ["Il rapporto delle vendite è nella cartella con gli altri", ["it"]],
  ["Het verslag van de verkoop is niet in deze map maar in een andere", ["nl"]],
  ["The annual report is in the folder with the others", []],
  ["x1 = f(la, de, 3)", []],
  ["", []],
])("guesses the language of %j", (text, languages) => {
  expect(languagesOfText(text)).toEqual(languages);
});

it("counts stop words in positions but drops them", () => {
  expect([...analyseText("the state of the art")]).toEqual([
    { term: "state", position: 2 },
    { term: "art", position: 5 },
  ]);
});

it("keeps a month, a country and the letter of a cell, which other analysers drop", () => {
  expect(termsOf("may US T cells vitamin D")).toEqual(["may", "us", "t", "cell", "vitamin", "d"]);
});

it("gives each character of a run without spaces a position, a letter with its signs being one (น้ำตา: four)", () => {
  expect([...analyseText("น้ำตา x")].at(-1)).toEqual({ term: "x", position: 5 });
  expect([...analyseText("東京都")]).toEqual([
    { term: "東京", position: 1 },
    { term: "東", position: 1 },
    { term: "京都", position: 2 },
    { term: "京", position: 2 },
    { term: "都", position: 3 },
  ]);
});

it("makes terms that PostgreSQL accepts from any text", () => {
  const anyText = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.string({
      unit: fc.constantFrom(
        "\0",
        "\ud800",
        "\udfff",
        "é",
        "́",
        "東",
        "ก",
        "ำ",
        "ー",
        "ا",
        "한",
        "'s",
        "㈱",
        " ",
      ),
    }),
  );
  fc.assert(
    fc.property(anyText, (text) => {
      let last = 0;
      for (const { term, position } of analyseText(text)) {
        expect(term).not.toBe("");
        expect(term.isWellFormed()).toBe(true);
        expect(term).not.toContain("\0");
        expect(Buffer.byteLength(term)).toBeLessThanOrEqual(200);
        expect(position).toBeGreaterThanOrEqual(Math.max(1, last));
        last = position;
      }
    }),
    { numRuns: 500 },
  );
});

it("cuts words that are longer than anybody types, at a whole character", () => {
  expect(termsOf("é".repeat(5000))).toEqual(["e".repeat(200)]);
  expect(termsOf("я".repeat(5000))).toEqual(["я".repeat(100)]);
  expect(termsOf(`ก${"้".repeat(5000)}`).map((term) => Buffer.byteLength(term))).toEqual([93]);
});

it("a megabyte without a space is one word like any other, in linear time", () => {
  for (const letter of ["த", "ع", "α", "ж", "a"]) {
    expect([...analyseText(letter.repeat(300_000))]).toEqual([...analyseText(letter.repeat(1_000))]);
    expect(
      growth(50_000, (size) => [...analyseText(letter.repeat(size))]),
      letter,
    ).toBeLessThan(mostGrowth);
  }
});

it("normalises a letter with a million marks at once", () => {
  const marked = (marks: number) => termsOf(`ก${"\u0e48\u0e38".repeat(marks)}`);
  expect(marked(500_000)).toHaveLength(1);
  expect(growth(10_000, marked)).toBeLessThan(mostGrowth);
});
