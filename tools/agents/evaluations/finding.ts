import { join } from "node:path";
import { loadCatalog } from "@svc/command-router/catalog";
import { atLeast } from "../../bench/report.ts";
import type { Evaluation } from "../../evaluate/evaluation.ts";
import { findingBar, frozenIntents, placesOf, shareWithin } from "../find-by-intent.ts";

const features = join(import.meta.dirname, "../../../apps/backend/src/features");

/** How often `commands_search` has the right one of the commands that are not listed. */
export default {
  summary: "commands that are not listed are found by what they do",
  async run() {
    const catalog = await loadCatalog(features);
    const places = placesOf(catalog, frozenIntents());
    const missed = places.filter(({ place }) => place >= 5);
    return {
      tables: [
        {
          title: `${places.length} intents`,
          rows: [1, 3, 5, 10].map((first) => ({ first, share: shareWithin(places, first) })),
        },
      ],
      notes: missed.map(({ intent, command, first }) => `${intent}: found ${first}, not ${command}`),
      bars: [atLeast("share of intents among the first five", shareWithin(places, 5), findingBar)],
    };
  },
} satisfies Evaluation;
