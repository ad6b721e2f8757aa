import { testPlants } from "../../testing/plants/test-plants.ts";
import { nextPlants } from "./next-plants.ts";

testPlants(nextPlants, {
  test: "apps/backend/tests/agents/next",
  says: /AssertionError/,
});
