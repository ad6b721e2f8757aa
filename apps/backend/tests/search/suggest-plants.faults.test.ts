import { testPlants } from "../../testing/plants/test-plants.ts";
import { missedBySuggestions } from "./suggest-plants.ts";

testPlants(missedBySuggestions, {
  project: "unit",
  test: "apps/backend/src/features/search/commands/suggest.test.ts",
  says: /AssertionError/,
});
