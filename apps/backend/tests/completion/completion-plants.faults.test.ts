import { testPlants } from "../../testing/plants/test-plants.ts";
import { completionRatePlants, completionRightsPlants, completionScopesPlants } from "./completion-plants.ts";

testPlants(completionRightsPlants, {
  test: "apps/backend/tests/completion/hidden-rows.test.ts",
  says: /byte for byte/,
});

testPlants(completionScopesPlants, {
  test: "apps/backend/tests/catalog/completion.test.ts",
  says: /without the scopes/,
});

testPlants(completionRatePlants, {
  test: "apps/backend/src/surfaces/calls/complete.test.ts",
  says: /AssertionError/,
});
