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

testPlants(
  missedByWorlds,
  {
    project: "faults-isolated",
    test: "apps/backend/tests/search/search-oracle.faults.test.ts",
    says: /Property failed/,
  },
  0,
);
testPlants(missedByTypos, {
  project: "unit",
  test: `${features}/search/finding/typos.test.ts`,
  says: /AssertionError/,
});
testPlants(missedWhereTheIndexIsWrong, {
  project: "unit",
  test: `${features}/search/commands/query.test.ts`,
  says: /AssertionError/,
});
testPlants(missedByPaths, {
  project: "unit",
  test: "packages/search/src/visibility/find-path-places.test.ts",
  says: /AssertionError/,
});
testPlants(missedByRequests, {
  project: "unit",
  test: `${features}/search/commands/request-rights.test.ts`,
  says: /AssertionError/,
});
testPlants(missedByExplanations, {
  project: "unit",
  test: `${features}/search/commands/why-missing.test.ts`,
  says: /AssertionError/,
});
testPlants(missedByCounts, {
  project: "unit",
  test: `${features}/search/commands/status.test.ts`,
  says: /AssertionError/,
});
testPlants(missedBySamples, {
  project: "unit",
  test: "packages/search/src/ranking/sample.test.ts",
  says: /AssertionError/,
});
testPlants(missedByTiers, {
  project: "unit",
  test: "packages/search/src/ranking/tiers/rank-by-tiers.test.ts",
  says: /AssertionError/,
});
