import { testPlants } from "../../testing/plants/test-plants.ts";
import { bareUndoPlants, endPlants } from "./bare-undo-plants.ts";

testPlants(bareUndoPlants, { test: "bare-undo.faults", says: /bare undo takes back/ });
testPlants(endPlants, { test: "ends-of-ids.faults", says: /finding: / });
