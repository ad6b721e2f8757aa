import { testPlants } from "../../testing/plants/test-plants.ts";
import { agentPlants } from "./agent-plants.ts";

testPlants(agentPlants, {
  test: "apps/backend/tests/agents/no-escape.faults.test.ts",
  // Some are noticed while the world is built.
  says: /escaped, SVC_SEED|not asked/,
});
