import { expect, test } from "vitest";
import { describePlan } from "./migration-plan.ts";
import { migrationsFolder, readMigrations } from "./migrations.ts";

test("a plan says what an operator has to do first", async () => {
  const migrations = await readMigrations(migrationsFolder);
  const plan = describePlan(migrations.filter(({ name }) => name >= "0021" && name < "0023"));
  expect(plan).toBe(
    "to apply: 2\n  0021_slugs_are_not_unique.sql\n" +
      "  0022_all_who_changed_a_part.sql, first stop processes that do not know 0022",
  );
});

test("without missing migrations there is nothing to do", () => {
  expect(describePlan([])).toBe("nothing to migrate");
});
