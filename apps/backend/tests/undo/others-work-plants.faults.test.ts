import { testPlants } from "../../testing/plants/test-plants.ts";
import { movedInPlants, othersWorkPlants } from "./others-work-plants.ts";

testPlants(othersWorkPlants, { test: "others-work.faults", says: /undoing/ });
testPlants(movedInPlants, { test: "apps/backend/tests/undo/others-work.test.ts", says: /AssertionError/ });
