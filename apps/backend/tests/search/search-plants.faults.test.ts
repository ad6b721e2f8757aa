import { testPlants } from "../../testing/plants/test-plants.ts";
import { missedByWorlds, missedWhereTheIndexIsWrong } from "./search-plants.ts";

const features = "apps/backend/src/features";

testPlants(
  missedByWorlds,
  {
    project: "faults",
    test: "apps/backend/tests/search/search-oracle.faults.test.ts",
    says: /Property failed/,
  },
  0,
);
testPlants(missedWhereTheIndexIsWrong, {
  project: "unit",
  test: `${features}/search/commands/query.test.ts`,
  says: /AssertionError/,
});
