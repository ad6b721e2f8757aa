import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fromSchema, type Schema } from "../testing/from-schema.ts";
import { isAnswerLine, isCallerContext, isCompletionsAnswer, isFolderPage, isProblem } from "./answers.ts";
import { CallerContext } from "./caller.ts";
import { CompletionsAnswer } from "./completion.ts";
import {
  FileAnswer,
  FolderAnswer,
  FolderPage,
  HelpAnswer,
  PageAnswer,
  ProgressAnswer,
  ResultAnswer,
  UploadAnswer,
} from "./exchange.ts";
import { Problem } from "./problem.ts";

const wire = [
  ["result", ResultAnswer, isAnswerLine],
  ["file", FileAnswer, isAnswerLine],
  ["folder", FolderAnswer, isAnswerLine],
  ["a page of a folder", FolderPage, isFolderPage],
  ["upload", UploadAnswer, isAnswerLine],
  ["help", HelpAnswer, isAnswerLine],
  ["a page", PageAnswer, isAnswerLine],
  ["progress", ProgressAnswer, isAnswerLine],
  ["a problem's line", Problem, (value: unknown) => isAnswerLine({ ...Object(value), kind: "problem" })],
  ["a problem", Problem, isProblem],
  ["completions", CompletionsAnswer, isCompletionsAnswer],
  ["the caller's context", CallerContext, isCallerContext],
] as const;

/** Shown unchanged: svc does not interpret them. */
const letThrough = /^(data|(tree|preview\.changes|violations|next)\.)/;

describe.for(wire)("%s", ([, schema, isRight]) => {
  const described = schema.toJSONSchema({ io: "output" }) as Schema;
  const valid = fromSchema(described);

  test("accepts what the protocol accepts, and extra fields", () => {
    fc.assert(
      fc.property(valid, fc.jsonValue(), (value, more) => {
        expect(schema.safeParse(value).error).toBeUndefined();
        expect(isRight(value)).toBe(true);
        expect(isRight({ ...(value as object), somethingNew: more })).toBe(true);
      }),
    );
  });

  test("refuses a missing field, or one of another type", () => {
    let refused = 0;
    fc.assert(
      fc.property(valid, fc.nat(), fc.boolean(), (value, choice, isMissing) => {
        const places = placesIn(value).filter((way) => !letThrough.test(way.join(".")));
        const place = places[choice % places.length] ?? [];
        const broken = structuredClone(value);
        const parent = place.slice(0, -1).reduce<unknown>((at, part) => (at as never)[part], broken) as never;
        const last = place.at(-1) as never;
        if (isMissing && !Array.isArray(parent)) delete parent[last];
        else parent[last] = anotherType(parent[last]) as never;
        if (schema.safeParse(broken).success) return;
        refused += 1;
        expect({ broken, isRight: isRight(broken) }).toEqual({ broken, isRight: false });
      }),
      { numRuns: 300 },
    );
    expect(refused).toBeGreaterThan(50);
  });
});

test.for([null, undefined, "text", 1, true, [], {}, [{}], { kind: "other" }])(
  "%j is not an answer",
  (value) => {
    expect([isAnswerLine(value), isProblem(value), isCallerContext(value)]).toEqual([false, false, false]);
  },
);

/** The path of every position in it. */
function placesIn(value: unknown, way: (string | number)[] = []): (string | number)[][] {
  if (typeof value !== "object" || value === null) return [];
  const parts = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
  return parts.flatMap((part) => [
    [...way, part],
    ...placesIn((value as Record<string | number, unknown>)[part], [...way, part]),
  ]);
}

function anotherType(value: unknown): unknown {
  return typeof value === "string" ? 7 : "something else";
}
