import { testPlants } from "../../testing/plants/test-plants.ts";
import {
  missedByCounts,
  missedByExplanations,
  missedByPaths,
  missedByRequests,
  missedBySamples,
  missedByTiers,
  missedByTypos,
  missedByWorlds,
  missedWhereTheIndexIsWrong,
} from "./search-plants.ts";

const features = "apps/backend/src/features";

testPlants(missedByWorlds, {
  test: "apps/backend/tests/search/search-oracle.faults.test.ts",
  says: /Property failed/,
});
testPlants(missedByTypos, {
  test: `${features}/search/finding/typos.test.ts`,
  says: /AssertionError/,
});
testPlants(missedWhereTheIndexIsWrong, {
  test: `${features}/search/commands/query.test.ts`,
  says: /AssertionError/,
});
testPlants(missedByPaths, {
  test: "packages/search/src/visibility/find-path-places.test.ts",
  says: /AssertionError/,
});
testPlants(missedByRequests, {
  test: `${features}/search/commands/request-rights.test.ts`,
  says: /AssertionError/,
});
testPlants(missedByExplanations, {
  test: `${features}/search/commands/why-missing.test.ts`,
  says: /AssertionError/,
});
testPlants(missedByCounts, {
  test: `${features}/search/commands/status.test.ts`,
  says: /AssertionError/,
});
testPlants(missedBySamples, {
  test: "packages/search/src/ranking/sample.test.ts",
  says: /AssertionError/,
});
testPlants(missedByTiers, {
  test: "packages/search/src/ranking/tiers/rank-by-tiers.test.ts",
  says: /AssertionError/,
});
