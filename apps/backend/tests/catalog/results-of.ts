import fc from "fast-check";
import type { z } from "zod";

type Schema = z.core.JSONSchema.BaseSchema;

/** Names that people have, and names that somebody chose to break a screen. No name has a line end. */
const hostileTexts = [
  "",
  "a",
  "report 2026.pdf",
  "四半期報告書と来年の予算についての詳しい資料.xlsx",
  "👩‍👩‍👧‍👦 family 🏳️‍🌈 flags 🚀🚀🚀",
  "e\u0301".repeat(40),
  "ก็ำ".repeat(30),
  "x".repeat(255),
  "長".repeat(85),
  `/a/${"deep/".repeat(60)}file.txt`,
  "many words ".repeat(40),
  "\u001b[31mred\u001b[0m\u0007",
  "\u202egnp.exe",
  "\u200b\u200d\ufeff zero",
];

/** Everything that a command's result schema allows, in hostile words; some properties may be given, by name. */
export function resultsOf(schema: Schema, given: Record<string, unknown> = {}): fc.Arbitrary<unknown> {
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((one) => resultsOf(one as Schema, given)));
  if (schema.enum) return fc.constantFrom(...(schema.enum as unknown[]));
  switch (schema.type) {
    case "object":
      return objectsOf(schema, given);
    case "array":
      return fc.array(resultsOf(schema.items as Schema, given), { maxLength: 4 });
    case "string":
      return schema.format === "date-time"
        ? fc
            .date({ min: new Date("1990-01-01"), max: new Date("2040-01-01"), noInvalidDate: true })
            .map(isoTime)
        : fc.oneof(fc.constantFrom(...hostileTexts), fc.string({ unit: "grapheme", maxLength: 60 }));
    case "integer":
      return fc.integer({ min: Math.max(0, Number(schema.minimum ?? 0)), max: 2 ** 50 });
    case "number":
      return fc.double({ min: 0, max: 1e9, noNaN: true });
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    case undefined:
      return fc.constantFrom(...hostileTexts, null, 7, [1, 2], { a: "b" });
    default:
      throw new Error(`no result of type ${String(schema.type)} is known`);
  }
}

/** Trees are as deep as a path allows. */
function ofProperty(name: string, schema: Schema, given: Record<string, unknown>): fc.Arbitrary<unknown> {
  return name === "depth" ? fc.nat(12) : resultsOf(schema, given);
}

function isoTime(time: Date): string {
  return time.toISOString();
}

function objectsOf(
  { properties = {}, required = [], additionalProperties }: Schema,
  given: Record<string, unknown>,
): fc.Arbitrary<unknown> {
  const known = Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [
      name,
      name in given ? fc.constant(given[name]) : ofProperty(name, schema as Schema, given),
    ]),
  );
  const shape = fc.record(known, { requiredKeys: required });
  if (typeof additionalProperties !== "object") return shape;
  const more = fc.dictionary(
    fc.constantFrom("name", "city", "予算", "a-very-long-field-name-indeed"),
    resultsOf(additionalProperties as Schema, given),
    { maxKeys: 4 },
  );
  return fc.tuple(shape, more).map(([own, others]) => ({ ...others, ...own }));
}
