import { testPlants } from "../../testing/plants/test-plants.ts";
import { othersWorkPlants } from "./others-work-plants.ts";

testPlants(othersWorkPlants, { test: "others-work.faults", says: /undoing/ });
