import { testPlants } from "../../testing/plants/test-plants.ts";
import { historyPlants, peoplePlants } from "./history-plants.ts";

testPlants(historyPlants, {
  test: "apps/backend/src/features/files/commands/history.test.ts",
  says: /AssertionError/,
});
testPlants(peoplePlants, {
  test: "apps/backend/src/features/people/commands/find.test.ts",
  says: /AssertionError/,
});
