import { testPlants } from "../../testing/plants/test-plants.ts";
import { bareUndoPlants, endPlants } from "./bare-undo-plants.ts";

testPlants(bareUndoPlants, { project: "faults", test: "bare-undo.faults", says: /bare undo takes back/ });
testPlants(endPlants, { project: "faults", test: "ends-of-ids.faults", says: /finding: / });
