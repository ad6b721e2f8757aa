import { testPlants } from "../../testing/plants/test-plants.ts";
import { missedByExpiry, missedByHostileVisitors, missedByLogs, missedByVisitors } from "./demo-plants.ts";

const says = /AssertionError/;

testPlants(missedByVisitors, { project: "unit", test: "apps/backend/tests/demo/visitors.test.ts", says });
testPlants(missedByLogs, { project: "unit", test: "apps/backend/tests/demo/visitors.test.ts", says });
testPlants(missedByHostileVisitors, {
  project: "unit",
  test: "apps/backend/tests/demo/hostile-visitors.test.ts",
  says,
});
testPlants(missedByExpiry, {
  project: "unit",
  test: "apps/backend/src/features/demo/jobs/remove-visitors.test.ts",
  says,
});
