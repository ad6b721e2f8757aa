import { testPlants } from "../../testing/plants/test-plants.ts";
import {
  clientPlants,
  needsPlants,
  putPlants,
  ratePlants,
  stagingPlants,
  treePlants,
} from "./transfer-plants.ts";

const says = /AssertionError/;

testPlants(treePlants, { project: "unit", test: "apps/backend/src/surfaces/transfers/trees.test.ts", says });
testPlants(stagingPlants, {
  project: "unit",
  test: "apps/backend/src/platform/uploads/staging.test.ts",
  says,
});
testPlants(clientPlants, { project: "unit", test: "apps/cli/src/transfers/transfers.test.ts", says });

// In full runs only: the samples above show that planting still works.
testPlants(
  putPlants,
  { project: "unit", test: "apps/backend/src/features/files/commands/put.test.ts", says },
  0,
);
testPlants(
  needsPlants,
  { project: "faults", test: "apps/backend/tests/disclosure/needs.faults.test.ts", says },
  0,
);
testPlants(
  ratePlants,
  { project: "unit", test: "apps/backend/src/surfaces/http/rate-limits.test.ts", says },
  0,
);
