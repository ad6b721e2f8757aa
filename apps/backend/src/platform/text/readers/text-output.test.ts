import { expect, test } from "vitest";
import { readDocument } from "../../../../testing/read-document.ts";

test("keeps a surrogate pair that is split between pieces", async () => {
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

test("removes half a surrogate pair and NUL", async () => {
  const text = await readDocument(async (_, output) => output.write("a\ud842b\0c"), "");
  expect(text).toBe("a\ufffdbc");
});
