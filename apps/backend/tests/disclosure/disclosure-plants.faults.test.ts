import { testPlants } from "../../testing/plants/test-plants.ts";
import { disclosurePlants } from "./disclosure-plants.ts";

testPlants(disclosurePlants, {
  test: "apps/backend/tests/disclosure/disclosure.faults.test.ts",
  says: /to deeply equal/,
});
