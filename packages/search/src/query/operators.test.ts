import { describe, expect, it } from "vitest";
import { parseQuery } from "./parse-query.ts";
import { phraseQueries } from "./query-words.ts";

const ignoredIn = (typed: string) => parseQuery(typed).ignored.map(({ text, reason }) => [text, reason]);

describe("what is named because it did not do what it looks like", () => {
  it.each([
    ["foo:bar report", [["foo:bar", "unknown operator"]]],
    ["filetype:pdf", [["filetype:pdf", "unknown operator"]]],
    [
      "type:zebra -type:zebra",
      [
        ["type:zebra", "unknown value"],
        ["-type:zebra", "unknown value"],
      ],
    ],
    [
      'before:soon after:2026-02-30 "type:zebra"',
      [
        ["after:2026-02-30", "unknown value"],
        ["before:soon", "unknown value"],
      ],
    ],
    [
      "title:... path:!",
      [
        ["title:...", "unknown value"],
        ["path:!", "unknown value"],
      ],
    ],
    ["budget OR type:pdf", [["OR", "misplaced"]]],
  ])("%s", (typed, ignored) => {
    expect(ignoredIn(typed)).toEqual(ignored);
  });

  it.each([
    "https://svc.test/a",
    "12:30",
    "C:\\x",
    "std::string",
    "TODO:fix",
    "localhost:8080",
    "a:b",
    "title:",
    "OR",
    "or",
  ])("not %s, which is words", (typed) => {
    expect(ignoredIn(typed)).toEqual([]);
    expect(parseQuery(typed).words).not.toEqual([]);
  });

  it("keeps the words of an unknown operator, and leaves out unknown values", () => {
    expect(parseQuery("re:invent").words[0]?.joined?.typed).toBe("re:invent");
    expect(parseQuery("type:zebra")).toMatchObject({ words: [], isEmpty: true });
  });

  it.each([
    ["filetype:pdf", "type:pdf"],
    ["onwer:jane", "owner:jane"],
    ["author:jane", "owner:jane"],
    ["type:sheets", "type:spreadsheet"],
    ["type:zebra", "ext:zebra"],
  ])("%s suggests %s", (typed, suggested) => {
    expect(parseQuery(typed).ignored[0]?.hint).toContain(suggested);
  });
});

describe("OR", () => {
  const required = (typed: string) => phraseQueries(parseQuery(typed).phrases).map(({ body }) => body);

  it.each([
    ["apple OR pear", ["('appl') | ('pear')"]],
    ['"red apple" OR pear OR plum', ["('red') <1> ('appl') | ('pear') | ('plum')"]],
    ["apple OR pear juice OR tea", ["('appl') | ('pear')", "('juic') | ('tea')"]],
    ["apple or pear", []],
    ["OR pear", []],
    ["pear OR", []],
  ])("%s needs %j", (typed, phrases) => {
    expect(required(typed)).toEqual(phrases);
  });

  it("ranks alternatives as one word", () => {
    expect(parseQuery("apple OR pear juice").words.map(({ body }) => body)).toEqual([
      ["appl", "pear"],
      ["juic"],
    ]);
  });

  it("is a word of a sentence", () => {
    const sentence = "WHAT SHALL WE DO WITH THE APPLES OR THE PEARS";
    expect(parseQuery(sentence)).toMatchObject({ phrases: [], ignored: [] });
    expect(parseQuery(sentence).words.flatMap(({ name }) => name.flat())).toContain("or");
  });
});

describe("a star", () => {
  it("finds what begins so, wherever it stands", () => {
    const [begun, whole] = parseQuery("budg* plan").words;
    expect([begun?.prefix, whole?.prefix]).toEqual(["budg", undefined]);
    expect(parseQuery("-budg*").excluded[0]?.body[0]?.prefix).toBe("budg");
  });

  it.each(["*", "**", "**bold**", "a*b", '"budg*"'])("is a sign elsewhere: %s", (typed) => {
    expect(parseQuery(typed).words.some(({ prefix }) => prefix !== undefined)).toBe(false);
  });
});

it("the words of title: rank only if no others do", () => {
  expect(parseQuery("title:budget").words.map(({ body }) => body)).toEqual([["budget"]]);
  expect(parseQuery("title:budget revenue").words.map(({ body }) => body)).toEqual([["revenu"]]);
  expect(parseQuery("title:budgte").words[0]?.spelling).toBeUndefined();
});

describe("hostile queries", () => {
  it.each(["path:", "title:"])("%s takes a few words, each once, and says that it is cut", (operator) => {
    const many = Array.from({ length: 2_000 }, (_, index) => `w${index}`).join(" ");
    const ideographs = String.fromCodePoint(...Array.from({ length: 3_000 }, (_, index) => 0x4e00 + index));
    for (const typed of [`${operator}"${many}"`, `${operator}${ideographs}`]) {
      const { filters, isCut } = parseQuery(typed);
      expect(isCut).toBe(true);
      expect(filters.paths.flat().length).toBeLessThanOrEqual(50);
      expect(filters.titles.join("").length).toBeLessThan(4_000);
    }
    const values = Array.from({ length: 40 }, (_, index) => `path:"a${index} b${index} c${index}"`).join(" ");
    expect(parseQuery(values).filters.paths.flat().length).toBeLessThanOrEqual(50);
    expect(parseQuery('path:"a a a a"').filters.paths.flat()).toHaveLength(1);
  });

  it("names nothing that JavaScript has everywhere", () => {
    const hints = ["constructor:foo", "type:constructor", "type:__proto__", "valueof:x"].flatMap((typed) =>
      parseQuery(typed).ignored.map(({ hint }) => hint),
    );
    expect(hints.join()).not.toContain("function");
    expect(hints.join()).not.toContain("[object");
  });

  it("takes five alternatives", () => {
    const { phrases, words } = parseQuery("invoice 2026 apple OR pear OR plum OR fig");
    expect(phrases).toHaveLength(1);
    expect(words.flatMap(({ body }) => body)).not.toContain("or");
  });

  it("knows that a star belongs to words", () => {
    expect(parseQuery("ext:doc*").filters.extensions).toEqual(["doc*"]);
  });
});
