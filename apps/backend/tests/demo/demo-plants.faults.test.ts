import { testPlants } from "../../testing/plants/test-plants.ts";
import { missedByExpiry, missedByHostileVisitors, missedByLogs, missedByVisitors } from "./demo-plants.ts";

const says = /AssertionError/;

testPlants(missedByVisitors, { test: "apps/backend/tests/demo/visitors.test.ts", says });
testPlants(missedByLogs, { test: "apps/backend/tests/demo/visitors.test.ts", says });
testPlants(missedByHostileVisitors, {
  test: "apps/backend/tests/demo/hostile-visitors.test.ts",
  says,
});
testPlants(missedByExpiry, {
  test: "apps/backend/src/features/demo/jobs/remove-visitors.test.ts",
  says,
});
