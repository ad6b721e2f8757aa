/** @module-tag nightly */
import { afterAll, beforeAll, expect, test } from "vitest";
import { CompanyWorld } from "./company-world.ts";
import { lines } from "./lines.ts";
import { typeAtTerminal } from "./type-at-terminal.ts";

let world: CompanyWorld;
beforeAll(async () => {
  world = await CompanyWorld.open();
});
afterAll(() => world?.close());

/** Reads: a write has another answer each time. `help` takes no format but JSON. */
const reads = lines.filter((line) => !/help|mkdir|delete|move|undo|svc rm|lsit|nothing here|foo/.test(line));
const places: { columns: number; environment: Record<string, string> }[] = [
  { columns: 40, environment: { TZ: "Asia/Tokyo" } },
  { columns: 200, environment: { TZ: "America/St_Johns", CLICOLOR_FORCE: "1" } },
];

/** Without what depends on when it was asked: age is part of a score, and a cursor holds scores. */
function steady(printed: string): string {
  return printed
    .replace(/("(?:tookMs|score)":\s*)[\d.]+/g, "$10")
    .replace(/("nextCursor":\s*)"[\w-]+"/g, "$1")
    .replace(/("?lastUsedAt"?:?\s*)"?20[\d:.TZ-]+"?/g, "$1");
}

test.each(["json", "tsv"])(
  "--format %s is the same at any width, in any zone, in any colour",
  async (format) => {
    expect(reads.length).toBeGreaterThan(30);
    for (const line of reads) {
      const type = (suffix: string, place: (typeof places)[number]) =>
        typeAtTerminal(world, `${line} --format ${format} 2>/dev/null ${suffix}`, place);
      const piped = await type("| cat", { columns: 80, environment: { TZ: "UTC", NO_COLOR: "1" } });
      expect(piped.printed).not.toContain("\u001b");
      for (const place of places) {
        for (const suffix of ["", "| cat"]) {
          const { printed } = await type(suffix, place);
          expect([line, place.columns, suffix, steady(printed)]).toEqual([
            line,
            place.columns,
            suffix,
            steady(piped.printed),
          ]);
        }
      }
    }
  },
);
