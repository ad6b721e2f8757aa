import { withAdmin } from "@svc/database/development-server";
import fc from "fast-check";
import { expect, it } from "vitest";
import { analyseName } from "./analyse-name.ts";
import { analyseText, type Term } from "./analyse-text.ts";
import { quoteLexeme, TsvectorBuilder, toTsvector } from "./to-tsvector.ts";

async function lexemesIn(text: string): Promise<string[]> {
  return withAdmin(async (client) => {
    const { rows } = await client.query<{ lexemes: string[] }>(
      "select tsvector_to_array($1::tsvector) as lexemes",
      [text],
    );
    return rows[0]?.lexemes ?? [];
  });
}

function* numbered(count: number, term: (index: number) => string): Generator<Term> {
  for (let index = 0; index < count; index++) yield { term: term(index), position: index + 1 };
}

it("writes positions, and counts a word with two forms once", () => {
  const terms = [
    { term: "hauser", position: 2 },
    { term: "haus", position: 2 },
    { term: "alt", position: 4 },
    { term: "haus", position: 7 },
  ];
  expect(toTsvector(terms)).toEqual({ text: "'hauser':2 'haus':2,7 'alt':4", length: 3, isCut: false });
  expect(toTsvector([])).toEqual({ text: "", length: 0, isCut: false });
});

it.each(["it's", "back\\slash", "'", "\\", "a b", "a:1", "&|!()<->*", "東京", "\n", "😀"])(
  "passes the lexeme %j to PostgreSQL unchanged",
  async (term) => {
    expect(await lexemesIn(toTsvector([{ term, position: 1 }]).text)).toEqual([term]);
    expect(await lexemesIn(quoteLexeme(term))).toEqual([term]);
  },
);

it("PostgreSQL accepts any text or name", async () => {
  await withAdmin(async (client) => {
    const hostile = fc.string({
      unit: fc.oneof(
        fc.constantFrom("'", "\\", "\0", "\ud800", " ", "東", "ก้", "é", ":"),
        fc.string({ unit: "binary" }),
      ),
    });
    await fc.assert(
      fc.asyncProperty(hostile, async (text) => {
        await client.query("select $1::tsvector, $2::tsvector", [
          toTsvector(analyseText(text)).text,
          toTsvector(analyseName(text)).text,
        ]);
      }),
      { numRuns: 200 },
    );
  });
});

it("cuts terms that PostgreSQL would refuse, and says so", async () => {
  const { text, length, isCut } = toTsvector(numbered(300_000, (index) => `t${index}`));
  expect({ length, isCut }).toEqual({ length: 300_000, isCut: true });
  expect((await lexemesIn(text)).length).toBeGreaterThan(90_000);
});

it("keeps marks in a full row: the last terms make room, and PostgreSQL accepts it", async () => {
  const builder = new TsvectorBuilder();
  for (const term of numbered(120_000, (index) => `t${index}`)) builder.add(term);
  for (let index = 0; index < 2_000; index++) builder.mark(`~3mark${index}`);
  const { text, isCut } = builder.finish();
  const lexemes = await lexemesIn(text);
  expect(isCut).toBe(true);
  expect(lexemes.filter((lexeme) => lexeme.startsWith("~"))).toHaveLength(2_000);
  expect(lexemes.filter((lexeme) => lexeme.startsWith("t")).length).toBeGreaterThan(80_000);
});

it("stays within the positions of a lexeme and of a document without calling it cut", async () => {
  const { text, isCut } = toTsvector(numbered(40_000, (index) => (index % 2 ? "odd" : "even")));
  expect(isCut).toBe(false);
  expect(text.match(/\d+/g)?.length).toBe(2 * 255);
  const late = toTsvector([{ term: "late", position: 20_000 }]);
  expect(late.text).toBe("'late':16383");
});
