import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { pointedLine } from "./pointed-line.ts";

const pointed = (argv: string[], wrong: unknown[], columns = 80) =>
  pointedLine(argv, new Set(wrong), columns).join("\n");

test("carets are below the wrong words", () => {
  expect(pointed(["files", "list", "/", "--limit", "foo"], [4])).toBe(
    "  svc files list / --limit foo\n                           ^^^",
  );
  expect(pointed(["a", "bc", "d", "efg"], [1, 3])).toBe("  svc a bc d efg\n        ^^   ^^^");
});

test("wide words have wide carets, and move those behind them", () => {
  expect(pointed(["get", "急須.jpg", "x"], [1, 2])).toBe("  svc get 急須.jpg x\n          ^^^^^^^^ ^");
});

test("a shell reads the line as the same words", () => {
  const argv = ["a b", "", "it's", "$HOME", "`id`", "*", "~", '"', "急須", "a=b", "!x", "--x=#1;"];
  const [line = ""] = pointedLine(argv, new Set([0]), 200);
  const read = execFileSync("sh", ["-c", `set -- ${line.replace("  svc", "")}; printf '%s\\n' "$@"`], {
    encoding: "utf8",
  });
  expect(read).toBe(`${argv.join("\n")}\n`);
});

test.each([
  ["is wider than the terminal", ["word", "x".repeat(70)], 79],
  ["is wider in cells than in characters", ["word", "急".repeat(35)], 79],
  ["has a newline", ["word", "a\nb"], 80],
  ["has an escape sequence", ["word", "\u001b[2J"], 80],
])("nothing is shown of a line that %s", (_, argv, columns) => {
  expect(pointed(argv, [0], columns)).toBe("");
});
