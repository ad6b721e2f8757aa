import { testPlants } from "../../testing/plants/test-plants.ts";
import { missedBySuggestions } from "./suggest-plants.ts";

testPlants(missedBySuggestions, {
  test: "apps/backend/src/features/search/commands/suggest.test.ts",
  says: /AssertionError/,
});
