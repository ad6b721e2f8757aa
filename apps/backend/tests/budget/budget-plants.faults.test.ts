import { testPlants } from "../../testing/plants/test-plants.ts";
import { budgetPlants } from "./budget-plants.ts";

testPlants(budgetPlants, {
  test: "apps/backend/tests/budget/budget.faults.test.ts",
  says: /SVC_SEED=/,
});
