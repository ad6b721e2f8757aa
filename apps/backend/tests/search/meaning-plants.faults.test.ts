import { testPlants } from "../../testing/plants/test-plants.ts";
import { missedByNearest, missedBySearches, missedByVectors } from "./meaning-plants.ts";

const feature = "apps/backend/src/features/search";

testPlants(missedBySearches, {
  test: `${feature}/finding/search-by-meaning.test.ts`,
  says: /AssertionError/,
});
testPlants(missedByVectors, {
  test: `${feature}/finding/candidates/budgeted-query-vectors.test.ts`,
  says: /AssertionError/,
});
testPlants(missedByNearest, {
  test: `${feature}/finding/nearest-files.test.ts`,
  says: /AssertionError/,
});
