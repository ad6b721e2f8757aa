import { splitAtGuard } from "@svc/testing/guards";

type Edit = readonly [code: string, planted: string];

/**
 * A mistake that a test must find. It is planted at a `// guard: name`: the statement below goes, or something in it is
 * replaced. Migrations never change, so they need no markers.
 */
export type Plant = {
  mistake: string;
  /** What the test says about it, if that differs from what it says about all of them. */
  says?: RegExp;
} & ({ guard: string; instead?: Edit } | { migration: string; instead: Edit });

export function plantIn(text: string, plant: Plant): string {
  if ("migration" in plant) return replaceOnce(text, plant.instead);
  const [before, statement, after] = splitAtGuard(text, plant.guard);
  const planted = plant.instead ? replaceOnce(statement, plant.instead) : "";
  return [before, planted, after].join("\n");
}

/** However the code is broken into lines. */
function replaceOnce(text: string, [code, planted]: Edit): string {
  const words = code.split(/\s+/).map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const pattern = new RegExp(words.join("\\s+"), "g");
  const count = text.match(pattern)?.length ?? 0;
  if (count !== 1) throw new Error(`\`${code}\` is there ${count} times, not once`);
  return text.replace(pattern, () => planted);
}
