import fc from "fast-check";
import { contents } from "./search-question.ts";
import type { SearchStep } from "./searched-world.ts";
import { type Step, worldStep } from "./world-step.ts";

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

const name = fc.constantFrom("a", "b", "c.txt", "d");
const owner = fc.constant("owner" as const);
/** Folders and texts, and somebody who sees some of them. */
const opening = fc.tuple(
  fc.record({
    does: fc.constant("mkdir" as const),
    who: owner,
    at: pick,
    name: fc.constantFrom("a", "b", "d"),
  }),
  fc.record({ does: fc.constant("mkdir" as const), who: owner, at: pick, name }),
  fc.record({
    does: fc.constant("put" as const),
    who: owner,
    at: pick,
    name: fc.constant("c.txt"),
    content: note,
  }),
  fc.record({ does: fc.constant("put" as const), who: owner, at: pick, name, content: note }),
  fc.record({
    does: fc.constant("grant" as const),
    who: owner,
    node: pick,
    grantee: fc.constantFrom("ann" as const, "ben" as const, "cai" as const, "inner" as const),
    role: fc.constant("viewer" as const),
  }),
);

/** Steps on nodes, mixed with steps on records and the workspace. */
export const searchScript: fc.Arbitrary<SearchStep[]> = fc
  .tuple(
    opening,
    fc.array(worldStep, { minLength: 1, maxLength: 5 }),
    fc.array(fc.tuple(fc.nat(20), step), { maxLength: 3 }),
  )
  .map(([first, steps, others]) => [
    ...(first as Step[]),
    ...others.reduce<SearchStep[]>(
      (all, [at, other]) => all.toSpliced(at % (all.length + 1), 0, other),
      steps,
    ),
  ]);
