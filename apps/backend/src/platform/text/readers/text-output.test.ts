import { expect, test } from "vitest";
import { readDocument } from "../../../../testing/read-document.ts";

test("a pair of surrogates that comes in halves stays one, wherever a piece ends", async () => {
  for (const start of ["", "x"]) {
    const text = await readDocument(async (_, output) => {
      output.write(start);
      for (let time = 0; time < 40_000; time += 1) {
        output.write("\ud842");
        output.write("\udfb7");
      }
    }, "");
    expect(text).toBe(start + "𠮷".repeat(40_000));
  }
});

test("half a pair and NUL do not get out", async () => {
  const text = await readDocument(async (_, output) => output.write("a\ud842b\0c"), "");
  expect(text).toBe("a\ufffdbc");
});
