import { testPlants } from "../../testing/plants/test-plants.ts";
import {
  contextPlants,
  formulaPlants,
  networkPlants,
  rotationPlants,
  scopePlants,
  strangerPlants,
} from "./credential-plants.ts";

const says = /AssertionError/;

testPlants(networkPlants, { test: "apps/backend/src/surfaces/http/limited-routes.test.ts", says });
testPlants(strangerPlants, { test: "apps/backend/src/surfaces/server.test.ts", says });
testPlants(scopePlants, { test: "apps/backend/src/features/tokens/commands/create.test.ts", says });
testPlants(rotationPlants, { test: "apps/backend/src/features/tokens/commands/rotate.test.ts", says });
testPlants(formulaPlants, { test: "apps/backend/src/features/records/commands/export.test.ts", says });
testPlants(contextPlants, { test: "apps/backend/src/surfaces/calls/caller-context.test.ts", says });
