import { testPlants } from "../../testing/plants/test-plants.ts";
import { embeddingPlants, missedByFiles } from "./embedding-plants.ts";

testPlants(embeddingPlants, {
  test: "apps/backend/tests/embedding/embedding-schedules.faults.test.ts",
  says: /vectors of the current content/,
});
testPlants(missedByFiles, {
  test: "apps/backend/src/features/embeddings/embed-files.test.ts",
  says: /AssertionError/,
});
