import fc from "fast-check";
import { expect, test } from "vitest";
import { JsonPages } from "./json-pages.ts";
import { safeJson } from "./safe-json.ts";

test("pages of any size are together the text of one object", () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(fc.jsonValue(), { maxLength: 3 }), { maxLength: 4 }),
      fc.dictionary(
        fc.string({ minLength: 1 }).filter((name) => name !== "items" && !/^\d+$/.test(name)),
        fc.jsonValue(),
        {
          maxKeys: 2,
          noNullPrototype: true,
        },
      ),
      (pages, others) => {
        const json = new JsonPages();
        const text = [...pages.map((items) => json.add(items)), json.end(others)].join("");
        expect(text).toBe(`${safeJson({ items: pages.flat(), ...others })}\n`);
      },
    ),
  );
});
