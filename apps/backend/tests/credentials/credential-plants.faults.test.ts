import { testPlants } from "../../testing/plants/test-plants.ts";
import { networkPlants, strangerPlants } from "./credential-plants.ts";

const says = /AssertionError/;

testPlants(networkPlants, { test: "apps/backend/src/surfaces/http/limited-routes.test.ts", says });
testPlants(strangerPlants, { test: "apps/backend/src/surfaces/server.test.ts", says });
