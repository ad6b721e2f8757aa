import fc from "fast-check";
import { expect, it } from "vitest";
import { analyseDocument } from "./analyse-document.ts";

it("stores how much a word matters as a lexeme without a position", () => {
  const text = `${"report ".repeat(9)}${"filler ".repeat(240)}once`;
  const { body } = analyseDocument({ name: "notes", text });
  expect(marksIn(body.text)).toContain("~6report");
  expect(marksIn(body.text).filter((lexeme) => lexeme.endsWith("onc"))).toEqual([]);
});

it("adds up name and text in one tier, under the stem as well", () => {
  const filler = "filler ".repeat(245);
  const tiers = (name: string, text: string) =>
    marksIn(analyseDocument({ name, text: `${text} ${filler}` }).body.text).filter((lexeme) =>
      lexeme.endsWith("univers"),
    );
  expect(tiers("notes", "universities")).toEqual([]);
  expect(tiers("Universities", "nothing")).toEqual(["~1univers"]);
  expect(tiers("Universities", "universities")).toEqual(["~bunivers"]);
  // Only the whole name has it, as one word.
  expect(tiers("uni-versity", "universities")).toEqual(["~9univers"]);
});

it("gives no tier to a name that nobody can type as one word, but marks the whole name", () => {
  const { name, body } = analyseDocument({ name: "a-b.txt", text: "" });
  expect(marksIn(name.text)).toEqual(["~=a-b.txt"]);
  expect(marksIn(body.text).join()).not.toContain("a-b");
});

it("no word of a text or query begins like a tier", () => {
  const tilde = fc.string({ unit: fc.constantFrom("~", "=", "3", "a", "報", " ", "'") });
  fc.assert(
    fc.property(tilde, (text) => {
      const { body } = analyseDocument({ name: "", text });
      expect(body.text.match(/'~[^']*':/gu)).toBeNull();
    }),
  );
});

function marksIn(text: string): string[] {
  return [...text.matchAll(/'(~[^']*)'(?= |$)/gu)].map((found) => found[1] ?? "");
}
