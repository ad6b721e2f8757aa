import { testPlants } from "../../testing/plants/test-plants.ts";
import { agentPlants } from "./agent-plants.ts";

testPlants(agentPlants, {
  project: "faults",
  test: "apps/backend/tests/agents/no-escape.faults.test.ts",
  says: /escaped, SVC_SEED/,
});
