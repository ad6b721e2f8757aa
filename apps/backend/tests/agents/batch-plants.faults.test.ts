import { testPlants } from "../../testing/plants/test-plants.ts";
import { batchPlants } from "./batch-plants.ts";

testPlants(batchPlants, {
  test: "apps/backend/src/features/batch",
  says: /AssertionError/,
});
