import { testPlants } from "../../testing/plants/test-plants.ts";
import { historyPlants, peoplePlants } from "./history-plants.ts";

testPlants(historyPlants, {
  project: "unit",
  test: "apps/backend/src/features/files/commands/history.test.ts",
  says: /AssertionError/,
});
testPlants(peoplePlants, {
  project: "unit",
  test: "apps/backend/src/features/people/commands/find.test.ts",
  says: /AssertionError/,
});
