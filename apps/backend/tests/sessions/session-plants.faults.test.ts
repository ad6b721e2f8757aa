import { testPlants } from "../../testing/plants/test-plants.ts";
import { sessionPlants } from "./session-plants.ts";

testPlants(sessionPlants, {
  test: "apps/backend/src/features/sessions/commands/open.test.ts",
  says: /AssertionError/,
});
