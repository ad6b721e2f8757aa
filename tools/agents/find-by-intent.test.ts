import { join } from "node:path";
import { loadCatalog } from "@svc/command-router/catalog";
import { expect, test } from "vitest";
import { findingBar, frozenIntents, placesOf, shareWithin } from "./find-by-intent.ts";

const catalog = await loadCatalog(join(import.meta.dirname, "../../apps/backend/src/features"));

test("commands are found by what people want to do", () => {
  const intents = frozenIntents();
  expect(intents.length).toBeGreaterThanOrEqual(80);
  expect(intents.filter(({ command }) => !catalog.find(command))).toEqual([]);
  expect(shareWithin(placesOf(catalog, intents), 5)).toBeGreaterThanOrEqual(findingBar);
});
