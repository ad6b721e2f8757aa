import { testPlants } from "../../testing/plants/test-plants.ts";
import {
  clientPlants,
  degradedPlants,
  downloadPlants,
  manifestPlants,
  needsPlants,
  putPlants,
  ratePlants,
  sheddingPlants,
  stagingPlants,
  takenPlants,
  treePlants,
} from "./transfer-plants.ts";

const says = /AssertionError/;

testPlants(treePlants, { test: "apps/backend/src/surfaces/transfers/trees.test.ts", says });
testPlants(stagingPlants, {
  test: "apps/backend/src/platform/uploads/staging.test.ts",
  says,
});
testPlants(manifestPlants, { test: "apps/backend/src/platform/uploads/manifest.test.ts", says });
testPlants(sheddingPlants, { test: "apps/backend/src/surfaces/http/held-memory.test.ts", says });
testPlants(clientPlants, { test: "apps/cli/src/transfers/transfers.test.ts", says });
testPlants(downloadPlants, {
  test: "apps/cli/tests/hostile/downloaded-repositories.faults.test.ts",
  says,
});

// In full runs only: the samples above show that planting still works.
testPlants(putPlants, { test: "apps/backend/src/features/files/commands/put.test.ts", says });
testPlants(needsPlants, { test: "apps/backend/tests/disclosure/needs.faults.test.ts", says });
testPlants(ratePlants, { test: "apps/backend/src/surfaces/http/rate-limits.test.ts", says });
testPlants(takenPlants, { test: "apps/backend/src/features/workspaces/tree-lock.test.ts", says });
testPlants(degradedPlants, { test: "apps/backend/src/platform/health/process-readiness.test.ts", says });
