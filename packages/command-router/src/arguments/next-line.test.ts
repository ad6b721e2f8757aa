import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { expect, test } from "vitest";
import { confirmLine, nextLine } from "./next-line.ts";

test.for([
  [["records", "list", "customers"], "svc records list customers --cursor k7.m2"],
  [["records", "list", "営業:customers"], "svc records list 営業:customers --cursor k7.m2"],
  [["files", "list", "/a b", "--cursor", "old"], "svc files list '/a b' --cursor k7.m2"],
  [["files", "list", "--cursor=old", "/it's"], "svc files list '/it'\\''s' --cursor k7.m2"],
  [["search", "query", "--", "--cursor", "x"], "svc search query --cursor k7.m2 -- --cursor x"],
  [["records", "list", "a", "--sort=-b"], "svc records list a --sort=-b --cursor k7.m2"],
  [["x", "", "~", "=a", "$HOME"], "svc x '' '~' '=a' '$HOME' --cursor k7.m2"],
] as const)("%j", ([argv, line]) => {
  expect(nextLine(argv, "k7.m2")).toBe(line);
});

test("a line that a terminal would show differently is not shown as one to paste", () => {
  expect(nextLine(["files", "list", "/a\u001b[31m"], "k7.m2")).toBe("the same line with --cursor k7.m2");
  expect(nextLine(["files", "list", "/a\nb"], "k7.m2")).toBe("the same line with --cursor k7.m2");
});

test("a shell reads it back as it was typed", () => {
  const words = fc.array(
    fc.string({ unit: fc.constantFrom(..."aé営'\"\\ $`!*?[]{}()<>|&;#~=-%^\u{1f98a}") }),
    { maxLength: 5 },
  );
  fc.assert(
    fc.property(words, (typed) => {
      const argv = typed.filter((word) => !word.startsWith("--"));
      const line = nextLine(argv, "k7.m2");
      const read = execFileSync("bash", ["-c", `printf '%s\\0' ${line}`], { encoding: "utf8" });
      expect(read.split("\0").slice(0, -1)).toEqual(["svc", ...argv, "--cursor", "k7.m2"]);
    }),
    { numRuns: 60 },
  );
});

test.each([
  [["rm", "/a", "--dry-run"], "svc rm /a --confirm p_1"],
  [["rm", "/a", "--dry-run=true"], "svc rm /a --confirm p_1"],
  [["rm", String.raw`/a\'; evil #`], String.raw`svc rm '/a'\\''\''; evil #' --confirm p_1`],
  [["rm", "--confirm", "false", "/a b"], "svc rm '/a b' --confirm p_1"],
  [["rm", "--confirm=false", "--", "--dry-run"], "svc rm --confirm p_1 -- --dry-run"],
])("after a preview, %j goes on with %s", (argv, line) => {
  expect(confirmLine(argv, "p_1")).toBe(line);
});
