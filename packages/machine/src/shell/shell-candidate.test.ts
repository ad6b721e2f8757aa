import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { expect, test } from "vitest";
import { shellCandidate } from "./shell-candidate.ts";
import { readShellLine } from "./shell-line.ts";

/** What bash has unless somebody changed it. */
const breaks = " \t\n\"'@><=;|&(:";

test.each([
  ["svc files l", { words: ["files"], word: "l", kept: "", quote: "" }],
  ["svc ls ", { words: ["ls"], word: "", kept: "", quote: "" }],
  ["svc ls sales:/re", { words: ["ls"], word: "sales:/re", kept: "sales:", quote: "" }],
  ["svc ls sales\\:/re", { words: ["ls"], word: "sales:/re", kept: "", quote: "" }],
  ["svc add rin@exa", { words: ["add"], word: "rin@exa", kept: "rin", quote: "" }],
  ["svc ls --into=/re", { words: ["ls"], word: "--into=/re", kept: "--into=", quote: "" }],
  ["svc ls /my\\ fi", { words: ["ls"], word: "/my fi", kept: "", quote: "" }],
  ["svc ls '/my fi", { words: ["ls"], word: "/my fi", kept: "", quote: "'" }],
  ['svc ls "/my \\$fi', { words: ["ls"], word: "/my $fi", kept: "", quote: '"' }],
  ['svc ls "/my files/"re', { words: ["ls"], word: "/my files/re", kept: "", quote: "" }],
  ["svc ls '' x", { words: ["ls", ""], word: "x", kept: "", quote: "" }],
  ["svc ls x\\", { words: ["ls"], word: "x", kept: "", quote: "" }],
  ["svc ls 'a:b", { words: ["ls"], word: "a:b", kept: "", quote: "'" }],
])("reads %s", (line, expected) =>
  expect(readShellLine("bash", breaks, line)).toEqual({ shell: "bash", ...expected }),
);

test("zsh replaces the whole word, behind the quote that opened it", () => {
  expect(readShellLine("zsh", "", "svc ls sales:/re")).toMatchObject({
    word: "sales:/re",
    kept: "",
    quote: "",
  });
  const line = 'svc ls "/my files/"re';
  expect(readShellLine("zsh", '"', line)).toMatchObject({ word: "/my files/re", kept: "", quote: '"' });
});

test.each([
  ["sales:", "", "sales:/reports/", "/reports/"],
  ["", "", "/my files/a.txt", "/my\\ files/a.txt "],
  ["", "'", "/it's", "/it'\\''s"],
  ["", '"', "/a$b!", "/a\\$b\"'!'\""],
  ["", "", "~/it's", "~/it\\'s "],
  ["", "", "=ls", "\\=ls "],
  ["", "", "営業:/", "営業:/"],
])("behind `%s%s`, %s becomes %s", (kept, quote, word, expected) => {
  expect(shellCandidate({ shell: "bash", kept, quote: quote as "" }, word)).toBe(expected);
});

test("in zsh the quote is closed behind a finished word", () => {
  const within = { shell: "zsh", kept: "", quote: "'" } as const;
  expect(shellCandidate(within, "/my files/")).toBe("/my files/");
  expect(shellCandidate(within, "/my file")).toBe("/my file' ");
});

test("a word that does not begin with what stays in the line is dropped", () => {
  expect(shellCandidate({ shell: "bash", kept: "sales:", quote: "" }, "/x")).toBeUndefined();
});

const name = fc
  .string({ unit: "binary", minLength: 1, maxLength: 20 })
  .filter((text) => !/[\0\n\r]/.test(text));

test("sh reads every candidate as one word, whatever its name holds, in every kind of quotes", () => {
  const names = fc.sample(name, 150);
  const quotes = ["", "'", '"'] as const;
  const lines = names.flatMap((each) =>
    quotes.map(
      (quote) =>
        `printf '%s\\0' ${quote}${shellCandidate({ shell: "bash", kept: "", quote }, `/${each}`)}${quote}`,
    ),
  );
  const out = execFileSync("bash", ["--norc", "--noprofile", "-c", lines.join("\n")], { encoding: "utf8" });
  expect(out.split("\0").slice(0, -1)).toEqual(names.flatMap((each) => quotes.map(() => `/${each}`)));
});

test("what it writes, it reads", () => {
  fc.assert(
    fc.property(name, fc.constantFrom("", "'", '"'), (each, quote) => {
      // Within double quotes, `!` closes and opens them, which a reader of finished lines understands too.
      const candidate = shellCandidate({ shell: "bash", kept: "", quote }, `/${each}`);
      const { words } = readShellLine("bash", "", `svc ${quote}${candidate}${quote} end`);
      expect(words).toEqual([`/${each}`]);
    }),
  );
});
