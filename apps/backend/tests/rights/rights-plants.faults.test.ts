import { testPlants } from "../../testing/plants/test-plants.ts";
import { rightsPlants } from "./rights-plants.ts";

testPlants(rightsPlants, {
  test: "apps/backend/tests/rights/rights-oracle.faults.test.ts",
  says: /Property failed/,
});
