import fc from "fast-check";
import { expect, test } from "vitest";
import { Amount, formatMicros, toMicros } from "./money.ts";

test.each([
  ["25", 25_000_000n, "25.00"],
  ["25.5", 25_500_000n, "25.50"],
  ["0.000001", 1n, "0.000001"],
  ["0.1", 100_000n, "0.10"],
  ["999999999.999999", 999_999_999_999_999n, "999999999.999999"],
  ["0", 0n, "0.00"],
])("%s is %s micro-units, shown as %s", (amount, micros, shown) => {
  expect(toMicros(Amount.parse(amount))).toBe(micros);
  expect(formatMicros(micros)).toBe(shown);
});

test.each(["", "-1", "1e3", "1,50", "$5", ".5", "5.", "1.0000001", "1000000000", " 1", "０"])(
  "refuses %j",
  (text) => {
    expect(Amount.safeParse(text).success).toBe(false);
  },
);

test("a formatted amount parses to the same amount", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 999_999_999_999_999n }), (micros) => {
      expect(toMicros(Amount.parse(formatMicros(micros)))).toBe(micros);
    }),
  );
});
