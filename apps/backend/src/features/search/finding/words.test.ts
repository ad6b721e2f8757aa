import { offenders } from "@svc/testing/offenders";
import { describe, expect } from "vitest";
import type { FilesTown } from "../../../../testing/files-test.ts";
import { ask, test, titles } from "../../../../testing/search-test.ts";

const level = "all words, joined as typed";

describe("a number, a code or an address is one word", () => {
  test.for([
    ["an e-mail address", "jane.doe@acme.com", "com acme doe jane", "write to jane.doe@acme.com"],
    ["an address of a network", "192.168.1.17", "17 1 168 192", "the printer is 192.168.1.17"],
    ["a version", "1.2.3", "3 2 1", "fixed in 1.2.3"],
    ["a code", "PLT-3699", "3699 PLT", "see PLT-3699"],
    ["a date", "2026-03-26", "26 2026 03", "on 2026-03-26"],
    ["a file name in a text", "budget-2027.xlsx", "2027 xlsx budget", "see budget-2027.xlsx"],
  ] as const)("%s", async ([, typed, loose, text], { town }) => {
    await town.put("/joined.txt", `${text} ${"word ".repeat(100)}`);
    await town.put("/loose.txt", `${loose} word `.repeat(5));
    const answer = await ask(town, town.owner, typed, { explain: true });
    expect(titles(answer)).toEqual(["joined.txt"]);
    expect(answer.hits[0]?.explain?.level).toBe(level);
    expect(titles(await ask(town, town.owner, loose)).toSorted()).toEqual(["joined.txt", "loose.txt"]);
  });

  test("beside other words, too: a part of it does not make a hit", async ({ town }) => {
    await town.put("/joined.txt", "the printer is 192.168.1.17");
    await town.put("/printer.txt", "a printer");
    await town.put("/loose.txt", "17 1 168 192");
    expect(titles(await ask(town, town.owner, "printer 192.168.1.17"))).toEqual([
      "joined.txt",
      "printer.txt",
    ]);
  });

  test("in a name its parts may stand in any order", async ({ town }) => {
    await town.put("/Budget final 2027.txt", "x");
    await town.put("/26.03.2026.txt", "x");
    expect(titles(await ask(town, town.owner, "budget-2027"))).toEqual(["Budget final 2027.txt"]);
    expect(titles(await ask(town, town.owner, "2026-03-26"))).toEqual(["26.03.2026.txt"]);
  });

  test("a path is not one: its folders and its name are found as words", async ({ town }) => {
    await town.run("files mkdir /campaigns-2026");
    await town.put("/campaigns-2026/letter.txt", "x");
    expect(titles(await ask(town, town.owner, "/campaigns-2026/letter.txt"))[0]).toBe("letter.txt");
  });

  test("nothing is suggested for it", async ({ town }) => {
    await town.put("/2025-12-02.txt", "x");
    await town.put("/PLT-3698.txt", "x");
    for (const typed of ["1234", "2025-12-03", "PLT-3699"])
      expect((await ask(town, town.owner, typed)).suggestions, typed).toBeUndefined();
  });

  test("why-missing speaks of it as a whole", async ({ town }) => {
    await town.put("/loose.txt", "17 1 168 192");
    const line = ["search", "why-missing", "/loose.txt", "192.168.1.17"];
    const { words, reason } = await town.run<{ words: unknown[]; reason: string }>(line);
    expect(words).toEqual([{ word: "192.168.1.17", inName: false, inText: false }]);
    expect(reason).toMatch(/^no word of the query is in its name or text/u);
  });
});

describe("other words typed without a space are a phrase before they are loose words", () => {
  test.for([
    ["with hyphens", "sea-level", "level sea", "the sea-level rises"],
    ["Japanese", "成績書", "書成 績書 成績", "検査成績書を送る"],
    ["Thai", "น้ำตาล", "น้ำตก ตาล ตกตา", "ซื้อน้ำตาลทราย"],
    ["Chinese", "共和国", "和国 共和", "中华人民共和国"],
  ] as const)("%s", async ([, typed, loose, text], { town }) => {
    await town.put("/joined.txt", `${text} ${"word ".repeat(100)}`);
    await town.put("/loose.txt", `${loose} word `.repeat(5));
    const answer = await ask(town, town.owner, typed, { explain: true });
    expect(titles(answer)).toEqual(["joined.txt", "loose.txt"]);
    expect(answer.hits.map(({ explain }) => explain?.level)).toEqual([level, "all words"]);
  });

  test("an unfinished one too, while somebody types", async ({ town }) => {
    await town.put("/joined.txt", `see budget-draft ${"word ".repeat(100)}`);
    await town.put("/loose.txt", "draft budget word ".repeat(5));
    await town.put("/dated.txt", "budget-2027");
    const typing = { typing: true };
    expect(titles(await ask(town, town.owner, "budget-dra", typing)).slice(0, 2)).toEqual([
      "joined.txt",
      "loose.txt",
    ]);
    expect(titles(await ask(town, town.owner, "budget-20", typing))).toEqual(["dated.txt"]);
  });

  test("a text is not read if only names are searched", async ({ town }) => {
    await town.put("/17.1.168.192.txt", "192.168.1.17");
    const answer = await ask(town, town.owner, "168.192", { searchContent: false, explain: true });
    expect(answer.hits.map(({ explain }) => explain?.level)).toEqual(["all words in its name"]);
  });
});

describe("signs that belong to a word", () => {
  const shelf = async (town: FilesTown) => {
    await town.put("/vitamins.txt", "vitamin C and a net weight");
    await town.put("/cpp.txt", "we write C++17 and Notepad++");
    await town.put("/csharp.txt", "we write C#, not F#");
    await town.put("/dotnet.txt", "the .NET runtime");
    await town.put("/launch.txt", "we are live 🚀 thanks 👍🏽");
    await town.put("/Kick-off 🎉.txt", "notes");
  };

  const found = [
    ["C++", ["cpp.txt"]],
    ["c++", ["cpp.txt"]],
    ["notepad++", ["cpp.txt"]],
    ["C#", ["csharp.txt"]],
    [".NET", ["dotnet.txt"]],
    ['"the .NET runtime"', ["dotnet.txt"]],
    ["🚀", ["launch.txt"]],
    ["👍", ["launch.txt"]],
    ["🎉", ["Kick-off 🎉.txt"]],
    ["C", ["cpp.txt", "csharp.txt", "vitamins.txt"]],
    ["net", ["dotnet.txt", "vitamins.txt"]],
  ] as const;

  test("find what has the word with them", async ({ town }) => {
    await shelf(town);
    const queries = found.map(([typed, names]) => [typed, { typed, names }] as const);
    const wrong = await offenders(queries, async ({ typed, names }) =>
      expect(titles(await ask(town, town.owner, typed)).toSorted()).toEqual(names),
    );
    expect(wrong).toEqual([]);
  });

  test("a dot before an extension finds the files that have it", async ({ town }) => {
    await town.put("/pdf.txt", "x");
    await town.put("/report.md", "x");
    expect(titles(await ask(town, town.owner, ".md"))).toEqual(["report.md"]);
  });
});

describe("a query without anything to look for says so", () => {
  test("if it has signs only, or is empty", async ({ town }) => {
    await town.put("/a.txt", "apples");
    const queries = ["*", '"', '""', "???", "-", "-*", " ", "", "\u200d"].map(
      (query) => [JSON.stringify(query), query] as const,
    );
    const wrong = await offenders(queries, async (query) => {
      const { hits, total, emptyQuery } = await ask(town, town.owner, query);
      expect({ hits, total, emptyQuery }).toEqual({
        hits: [],
        total: { value: 0, relation: "eq" },
        emptyQuery: true,
      });
    });
    expect(wrong).toEqual([]);
  });

  test("in the terminal, in a sentence", async ({ town }) => {
    const request = { want: "text" } as const;
    const { body } = await town.backend.type(town.owner, ["search", "query", "*"], { request });
    expect(body.text).toBe("Nothing to look for: type a word, a name, or an operator such as type:pdf");
  });

  test("but an operator, an excluded word, a filter or a common word is something", async ({ town }) => {
    await town.put("/the a.txt", "apples");
    for (const [query, more] of [
      ["type:txt", {}],
      ["-pears", {}],
      ["*", { filters: { mediaType: "text/plain" } }],
      ["the", {}],
    ] as const) {
      const { hits, emptyQuery } = await ask(town, town.owner, query, { ...more, entityTypes: ["FILE"] });
      expect([query, hits.length, emptyQuery]).toEqual([query, 1, undefined]);
    }
  });
});

describe("one word is read in the languages of the documents", () => {
  const german = "Das Haus ist nicht alt, und ein Buch ist auch nicht neu.";
  const french = "Le cheval est dans le pré avec une jument, et il est beau.";

  test("plurals and cases of German and French", async ({ town }) => {
    await town.put("/a.txt", german);
    await town.put("/b.txt", french);
    for (const [typed, found] of [
      ["Häuser", "a.txt"],
      ["Bücher", "a.txt"],
      ["Buches", "a.txt"],
      ["chevaux", "b.txt"],
    ] as const) {
      expect([typed, await asTyped(town, typed)]).toEqual([typed, [found]]);
    }
  });

  test("but not in languages of documents that the caller cannot see", async ({ town }) => {
    const viewer = await town.person("Vera", "viewer");
    await town.put("/numbers.txt", "cheval 12");
    await town.run("files mkdir /secret");
    await town.run("access restrict /secret");
    await town.put("/secret/a.txt", french);
    expect(titles(await ask(town, viewer, "chevaux"))).toEqual([]);
    expect(titles(await ask(town, town.owner, "chevaux"))).toEqual(["numbers.txt", "a.txt"]);
  });

  test("the next page reads it as the first page did", async ({ town }) => {
    await town.put("/a.txt", german);
    await town.put("/b.txt", `buch 12 ${"filler ".repeat(50)}`);
    const first = await ask(town, town.owner, "Bücher", { limit: 1 });
    expect(first.corrections).toBeUndefined();
    await town.run("files delete /a.txt");
    const next = await ask(town, town.owner, "Bücher", { limit: 1, cursor: first.nextCursor });
    expect([titles(first), titles(next)]).toEqual([["a.txt"], ["b.txt"]]);
  });
});

describe("in German, the last part of a compound finds it, after everything else", () => {
  const german = "Das ist nicht neu, und es ist auch nicht alt.";

  test("in a text and in a name", async ({ town }) => {
    await town.put("/a.txt", `Die Gesellschaft. ${german.repeat(20)}`);
    await town.put("/b.txt", `Die Aktiengesellschaften. ${german}`);
    await town.put("/Muttergesellschaft.txt", german);
    await town.put("/c.txt", `Die Gesellschafterin. ${german}`);
    const answer = await ask(town, town.owner, "gesellschaft", { explain: true });
    expect(titles(answer)[0]).toBe("a.txt");
    expect(titles(answer).slice(1).toSorted()).toEqual(["Muttergesellschaft.txt", "b.txt"]);
    expect(answer.hits.map(({ explain }) => explain?.level)).toEqual([
      "all words",
      "all words, some of them in part",
      "all words, some of them in part",
    ]);
    const marked = answer.hits.flatMap(({ snippet = [] }) => snippet.filter(({ match }) => match));
    expect(marked.map(({ text }) => text).toSorted()).toEqual(["Aktiengesellschaften", "Gesellschaft"]);
  });

  test("beside other words too, and not by what is in quotes", async ({ town }) => {
    await town.put("/a.txt", `Ein Mietvertrag mit Schmidt. ${german}`);
    expect(await asTyped(town, "Vertrag Schmidt")).toEqual(["a.txt"]);
    expect(titles(await ask(town, town.owner, '"Vertrag"'))).toEqual([]);
  });

  test("not if nobody can see German", async ({ town }) => {
    await town.put("/a.txt", "the counterrevolution of the year");
    expect(titles(await ask(town, town.owner, "revolution"))).toEqual([]);
  });
});

describe("umlauts are found spelled out, and the other way round", () => {
  test.for([
    ["koeln", "Ein Brief aus Köln"],
    ["köln", "Ein Brief aus Koeln"],
    ["Muenchen", "the office in München"],
    ["Größe", "die Groesse der Schuhe und der Hose ist nicht bekannt"],
  ] as const)("%s in %j", async ([typed, text], { town }) => {
    await town.put("/a.txt", text);
    expect(await asTyped(town, typed)).toEqual(["a.txt"]);
  });

  test("in names too, and without mixing up other words", async ({ town }) => {
    await town.put("/Müller Köln.txt", "x");
    await town.put("/poet.txt", "x");
    expect(await asTyped(town, "mueller koeln")).toEqual(["Müller Köln.txt"]);
    expect(titles(await ask(town, town.owner, "pot"))).toEqual([]);
  });
});

/** Not what was found for a similar word. */
async function asTyped(town: FilesTown, query: string): Promise<string[]> {
  const answer = await ask(town, town.owner, query);
  expect(answer.corrections).toBeUndefined();
  return titles(answer);
}
