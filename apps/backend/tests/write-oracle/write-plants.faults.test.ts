import { testPlants } from "../../testing/plants/test-plants.ts";
import { writePlants } from "./write-plants.ts";

testPlants(writePlants, {
  test: "apps/backend/tests/write-oracle/write-oracle.faults.test.ts",
  says: /Property failed/,
});
