import fc from "fast-check";
import { contents } from "./search-question.ts";
import type { SearchStep } from "./searched-world.ts";
import { worldScript } from "./world-step.ts";

const note = fc.constantFrom(...contents);
const pick = fc.nat(20);
const step: fc.Arbitrary<SearchStep> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      does: fc.constant("record" as const),
      name: fc.constantFrom("lantern", "harbour"),
      note,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constantFrom("change record" as const, "delete record" as const, "restore record" as const),
      pick,
      note,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ does: fc.constantFrom("delete records" as const, "delete workspace" as const) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      does: fc.constant("rename workspace" as const),
      word: fc.constantFrom("Zeppelin", "World"),
    }),
  },
);

/** Steps on nodes, mixed with steps on records and the workspace. */
export const searchScript: fc.Arbitrary<SearchStep[]> = fc
  .tuple(worldScript, fc.array(fc.tuple(fc.nat(20), step), { maxLength: 5 }))
  .map(([steps, others]) =>
    others.reduce<SearchStep[]>((all, [at, other]) => all.toSpliced(at % (all.length + 1), 0, other), steps),
  );
