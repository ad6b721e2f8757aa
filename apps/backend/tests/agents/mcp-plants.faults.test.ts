import { testPlants } from "../../testing/plants/test-plants.ts";
import { mcpPlants } from "./mcp-plants.ts";

testPlants(mcpPlants, {
  test: "apps/backend/src/surfaces/mcp",
  says: /AssertionError/,
});
