import { expect, test } from "vitest";
import { z } from "zod";
import { taking } from "../../testing/fixture-catalog.ts";
import { typedName } from "./argument-spec.ts";
import { localFile } from "./local-file.ts";

const specOf = (schema: z.ZodType) => taking({ someThing: schema }).specs[0];

test("reads name, type and description from the schema", () => {
  expect(specOf(z.string().describe("What it is"))).toEqual({
    name: "someThing",
    flag: "some-thing",
    type: "string",
    repeatable: false,
    required: true,
    description: "What it is",
    localFile: false,
    acceptsFolder: false,
    readsText: false,
    secret: false,
    rules: { type: "string", description: "What it is" },
  });
});

test.each<[string, z.ZodType, object]>([
  ["a whole number", z.int().min(1), { type: "integer" }],
  ["a number", z.number(), { type: "number" }],
  ["a boolean", z.boolean(), { type: "boolean" }],
  ["a choice", z.enum(["a", "b"]), { type: "string", choices: ["a", "b"] }],
  ["one word only", z.literal("a"), { type: "string", choices: ["a"] }],
  ["a date", z.iso.datetime(), { type: "string" }],
  ["several", z.array(z.int()), { type: "integer", repeatable: true }],
  ["an optional", z.string().optional(), { required: false }],
  ["a default", z.int().default(5), { required: false, default: 5 }],
  [
    "what is changed on its way in",
    z
      .string()
      .trim()
      .transform((text) => text.length),
    { type: "string" },
  ],
  ["a short name", z.string().meta({ short: "s" }).optional(), { short: "s" }],
  ["a deprecation", z.string().meta({ deprecation: "leave it out" }), { deprecation: "leave it out" }],
  ["a secret", z.string().meta({ secret: true }), { secret: true }],
  ["several secrets", z.array(z.string().meta({ secret: true })), { secret: true }],
  ["a local file", localFile("To send"), { localFile: true, description: "To send" }],
  ["several local files", z.array(localFile("To send")), { localFile: true, description: "To send" }],
])("%s", (_, schema, expected) => {
  expect(specOf(schema)).toMatchObject(expected);
});

test.each<[string, z.ZodType]>([
  ["an object", z.object({ a: z.string() })],
  ["a list of objects", z.array(z.object({ a: z.string() }))],
  ["a list of lists", z.array(z.array(z.string()))],
  ["a record", z.record(z.string(), z.string())],
  ["one of two types", z.union([z.string(), z.number()])],
  ["null", z.null()],
  ["anything", z.unknown()],
])("%s cannot be expressed on a command line", (_, schema) => {
  expect(() => specOf(schema)).toThrow(
    /^command things do: argument someThing: a command line cannot express/,
  );
});

test("positionals come first and in their own order, the others as they were declared", () => {
  const shape = { d: z.string(), b: z.string(), c: z.string(), a: z.string() };
  expect(taking(shape, ["a", "b"]).specs.map(typedName)).toEqual(["<a>", "<b>", "--d", "--c"]);
});
