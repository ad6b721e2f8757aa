import { testPlants } from "../../testing/plants/test-plants.ts";
import { downloadPlants } from "./download-plants.ts";

testPlants(downloadPlants, {
  test: "apps/backend/src/surfaces/transfers/downloads.test.ts",
  says: /AssertionError/,
});
