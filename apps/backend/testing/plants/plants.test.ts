import { readFileSync } from "node:fs";
import { join } from "node:path";
import { findGuards } from "@svc/testing/guards";
import { offenders } from "@svc/testing/offenders";
import { describe, expect, test } from "vitest";
import { allPlants } from "./all-plants.ts";
import { plantIn } from "./plant.ts";
import { repository } from "./plant-copy.ts";

const plants = await allPlants();
const guards = findGuards(repository);

describe("guards and plants of the product", () => {
  test("no two guards have the same name", () => {
    const twice = guards.entries().filter(([, files]) => files.length > 1);
    expect([...twice]).toEqual([]);
  });

  test("every guard has a plant", () => {
    const planted = new Set(plants.map((plant) => ("guard" in plant ? plant.guard : undefined)));
    expect([...guards.keys()].filter((name) => !planted.has(name))).toEqual([]);
  });

  test("every mistake can be planted", async () => {
    const mistakes = plants.map((plant) => [plant.mistake, plant] as const);
    const found = await offenders(mistakes, (plant) => {
      const file =
        "guard" in plant ? guards.get(plant.guard)?.[0] : `packages/database/migrations/${plant.migration}`;
      if (file === undefined) throw new Error(`there is no file for ${JSON.stringify(plant)}`);
      const text = readFileSync(join(repository, file), "utf8");
      if (plantIn(text, plant) === text)
        throw new Error(`${JSON.stringify(plant)} changes nothing in ${file}`);
    });
    expect(found).toEqual([]);
  });
});

describe("a planted mistake", () => {
  const source = [
    "function rename() {",
    "  // guard: owners-rename",
    "  if (!isOwner) {",
    "    throw refusal;",
    "  }",
    "  // guard: name-fits",
    "  const name = isShort",
    "    ? given",
    "    : undefined;",
    "  return name;",
    "}",
  ].join("\n");

  test("takes away the statement below its guard, and nothing else", () => {
    const planted = plantIn(source, { mistake: "", guard: "owners-rename" });
    expect(planted).toBe(source.replace("  if (!isOwner) {\n    throw refusal;\n  }\n", "\n"));
  });

  test("replaces something in that statement, however it is broken into lines", () => {
    const planted = plantIn(source, {
      mistake: "",
      guard: "name-fits",
      instead: ["isShort ? given", "given"],
    });
    expect(planted).toContain("const name = given\n    : undefined;");
  });

  test("is refused where its code is in another statement, or its guard is gone", () => {
    const elsewhere = { mistake: "", guard: "name-fits", instead: ["refusal", "it"] } as const;
    expect(() => plantIn(source, elsewhere)).toThrow("`refusal` is there 0 times, not once");
    expect(() => plantIn(source, { mistake: "", guard: "gone" })).toThrow("there is no `// guard: gone`");
  });
});
