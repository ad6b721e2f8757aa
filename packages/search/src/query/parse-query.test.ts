import { growth, mostGrowth } from "@svc/testing/growth";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseQuery } from "./parse-query.ts";

describe("operators", () => {
  it.each([
    ["type:pdf report", { types: ["pdf"] }],
    ["type:.PDF", { types: ["pdf"] }],
    ["TYPE:pdf -type:docx", { types: ["pdf"], excludedTypes: ["docx"] }],
    ["in:/Sales/2025", { in: ["/Sales/2025"] }],
    ['in:"/Our Files/x y" budget', { in: ["/Our Files/x y"] }],
    ["-in:/Archive", { notIn: ["/Archive"] }],
    ["ext:.MD -ext:txt", { extensions: ["md"], excludedExtensions: ["txt"] }],
    ['owner:me -owner:"Jane Doe"', { owners: ["me"], notOwners: ["Jane Doe"] }],
    ["type:pdf OR type:docx", { types: ["pdf", "docx"] }],
    ["title:annual-report", { titles: ["(('annual')) & (('report'))"] }],
    ['-title:"annual report"', { excludedTitles: ["('annual') <1> ('report')"] }],
    ["before:2026-03", { before: new Date("2026-03-01T00:00:00Z") }],
    // Alternatives: after the earlier one.
    ["after:2026 after:2025", { from: new Date("2025-01-01T00:00:00Z") }],
    ["after:2025 -before:2026", { from: new Date("2026-01-01T00:00:00Z") }],
    ["before:2026 -after:2025", { before: new Date("2025-01-01T00:00:00Z") }],
  ])("reads the filters of %s", (typed, filters) => {
    const none = parseQuery("").filters;
    expect(parseQuery(typed)).toMatchObject({ filters: { ...none, ...filters }, ignored: [] });
  });

  it("reads phrases, whose words also rank, and counts the stop words left out between them", () => {
    const { phrases, words } = parseQuery('"state of the art" “board meeting”');
    expect(phrases.map(({ body }) => body)).toEqual([
      [
        { forms: ["state"], offset: 0 },
        { forms: ["art"], offset: 3 },
      ],
      [
        { forms: ["board"], offset: 0 },
        { forms: ["meet"], offset: 1 },
      ],
    ]);
    expect(words.flatMap(({ body }) => body)).toEqual(["state", "art", "board", "meet"]);
  });

  it("reads a minus before a word, not within one or alone", () => {
    const { excluded, words } = parseQuery('well-known - report -draft -"old version" ');
    expect(excluded.map(({ body }) => body.flatMap(({ forms }) => forms))).toEqual([
      ["draft"],
      ["old", "version"],
    ]);
    expect(words.flatMap(({ body }) => body)).toEqual(["well", "known", "report"]);
  });

  it.each(["type:", "in:", '"', '""', "-", "--", '-"', ":", "type:-", "a:b"])(
    "accepts half an operator: %s",
    (typed) => {
      expect(() => parseQuery(typed)).not.toThrow();
    },
  );
});

describe("words", () => {
  it("counts a repeated word; its other forms are separate words for names", () => {
    expect(parseQuery("test tests testing ").words.map(({ body, count }) => [body, count])).toEqual([
      [["test"], 1],
      [["test"], 1],
      [["test"], 1],
    ]);
    expect(parseQuery("information on information ").words[0]?.count).toBe(2);
  });

  it("keeps the forms of one typed word together", () => {
    expect(parseQuery("AnnualReports ").words).toEqual([
      {
        body: ["annualreport"],
        name: [["annualreports"], ["annualreport"], ["annual", "reports"]],
        count: 1,
        isPart: false,
      },
    ]);
  });

  it.each(["192.168.1.17", "26/03/2026", "PLT-3699", "jane@acme.com", "budget-2027.xlsx", "snake_case"])(
    "takes %s as one word; its parts only rank",
    (typed) => {
      const [token, ...parts] = parseQuery(typed).words;
      expect(token).toMatchObject({ joined: { typed }, count: 0 });
      expect(parts.length).toBeGreaterThan(1);
      expect(parts.every(({ isJoined }) => isJoined)).toBe(true);
    },
  );

  it.each([
    "and/or",
    "mother-in-law",
    "/reports/2027",
    "C++",
    "Q3",
    "2027年請求書",
    '"1.2.3"',
    "1.2.3 b c d e f g h i",
  ])("takes %s as separate words", (typed) => {
    expect(parseQuery(typed).words.some(({ joined }) => joined)).toBe(false);
  });

  it("takes the last word as unfinished while somebody types, unless something follows it", () => {
    const prefixes = (typed: string, isTyping = true) =>
      parseQuery(typed, { isTyping }).words.map(({ prefix }) => prefix);
    expect(prefixes("annual repor")).toEqual([undefined, "repor"]);
    expect(prefixes("annual repor ")).toEqual([undefined, undefined]);
    expect(prefixes('"annual repor"')).toEqual([undefined, undefined]);
    expect(prefixes("Größ")).toEqual(["gross"]);
    expect(prefixes("annual repor", false)).toEqual([undefined, undefined]);
  });

  it("finds pairs of kana by one of their characters", () => {
    expect(parseQuery("コ ").words[0]?.prefix).toBe("コ");
  });

  it("drops the stop words of a language only if several words are in it", () => {
    expect(parseQuery("Wie ist der Preis der Häuser ").words.flatMap(({ body }) => body)).toEqual([
      "prei",
      "preis",
      "hauser",
      "haeuser",
      "haus",
    ]);
    expect(parseQuery("die hard ").words.flatMap(({ body }) => body)).toEqual(["die", "hard"]);
  });

  it("searches for stop words if there is nothing else", () => {
    expect(parseQuery("nicht ohne dich ").words.every(({ body }) => body.length > 0)).toBe(true);
  });

  it("reads a single word in the languages that the documents are in", () => {
    expect(parseQuery("Häuser ").words[0]?.body).toEqual(["hauser", "haeuser"]);
    expect(parseQuery("Häuser ", { spoken: ["de"] }).words[0]?.body).toEqual(["hauser", "haeuser", "haus"]);
    expect(parseQuery("the price of Häuser ", { spoken: ["de"] }).languages).toEqual([]);
  });
});

it("never fails and stays small, whatever is typed", () => {
  const operator = fc.constantFrom(
    '"',
    "-",
    "type:",
    "in:",
    " ",
    "&",
    "|",
    "!",
    "<->",
    ":*",
    "(",
    "'",
    "\\",
    "\0",
  );
  const letter = fc.constantFrom(
    "\ud800",
    "😀",
    "א",
    "ا",
    "東",
    "カ",
    "ก",
    "한",
    "é",
    "a",
    "B",
    "1",
    "\u202e",
  );
  fc.assert(
    fc.property(fc.string({ unit: fc.oneof(operator, letter), maxLength: 300 }), (typed) => {
      const { words, phrases, excluded } = parseQuery(typed);
      expect(words.length).toBeLessThanOrEqual(128);
      const inPhrases = [...phrases, ...excluded].flatMap(({ body, name }) => [...body, ...name]);
      const terms = [
        ...words.flatMap(({ body, name, prefix }) => [
          ...body,
          ...name.flat(),
          ...(prefix === undefined ? [] : [prefix]),
        ]),
        ...inPhrases.flatMap(({ forms }) => forms),
      ];
      for (const term of terms) {
        expect(term).not.toBe("");
        expect(term.isWellFormed() && !term.includes("\0")).toBe(true);
      }
    }),
    { numRuns: 1000 },
  );
});

it.each(["word ", "東", '"', "-a ", '"a" ', "in:", "ก้", "a1B"])(
  "reads 100 kB of %j as far as 8,000 characters, in linear time, and says that it was cut",
  (unit) => {
    const typed = unit.repeat(100_000 / unit.length);
    const clock = { now: new Date(), timeZone: "UTC" };
    const { isCut, ...parsed } = parseQuery(typed, { clock });
    expect(parsed.words.length).toBeLessThanOrEqual(128);
    expect(isCut).toBe(true);
    const { isCut: _, ...begun } = parseQuery(typed.slice(0, 8_000), { clock });
    expect(parsed).toEqual(begun);
    expect(growth(2_000, (size) => parseQuery(typed.slice(0, size)))).toBeLessThan(mostGrowth);
  },
);

it("invisible characters are not words, even in a phrase", () => {
  for (const typed of ['"\u200d"', '"\u00ad \u200c"']) {
    expect(parseQuery(typed)).toMatchObject({ phrases: [], words: [], isEmpty: true });
  }
  expect(parseQuery('"a\u0301b \u200d c"').phrases).toEqual([
    {
      body: [
        { forms: ["ab"], offset: 0 },
        { forms: ["c"], offset: 2 },
      ],
      name: [
        { forms: ["ab"], offset: 0 },
        { forms: ["c"], offset: 2 },
      ],
    },
  ]);
  // A mark of Greek music on a digit: nothing remains.
  for (const { name } of parseQuery("3\u{1d242}").words) expect(name.flat()).not.toContain("");
});

it("of many places only the first count, and the answer says so", () => {
  const many = (filter: string) => Array.from({ length: 60 }, (_, index) => `${filter}:/${index}`).join(" ");
  expect(parseQuery(many("in"))).toMatchObject({ isCut: true });
  expect(parseQuery(many("-in")).filters.notIn).toHaveLength(50);
  expect(parseQuery("in:/a -in:/b").isCut).toBe(false);
});
