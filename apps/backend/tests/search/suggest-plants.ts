// biome-ignore-all lint/suspicious/noTemplateCurlyInString: planted text is template source
import type { Plant } from "../../testing/plants/plant.ts";

/** The tests notice each guard of suggestions that is removed in a copy. */
export const missedBySuggestions: Plant[] = [
  {
    mistake: "people whom the caller does not know are suggested",
    guard: "suggest-known-people",
    instead: ["from named where ${known}", "from named"],
  },
  {
    mistake: "hidden workspaces are suggested",
    guard: "suggest-visible-workspaces",
    instead: ["workspace.id = any(${visible}::uuid[])", "${visible}::uuid[] is not null"],
  },
  {
    mistake: "queries that find nothing for the caller are suggested",
    guard: "popular-if-found",
    instead: ["await isFound(context, query)", "query"],
  },
  {
    mistake: "some words of a query are enough to show it",
    guard: "popular-by-all-words",
    instead: ["shown.some(hasAllWords)", "shown.length > 0"],
  },
  { mistake: "operators of others' queries are shown", guard: "popular-words-alone" },
  {
    mistake: "queries of others count as one's own",
    guard: "own-queries-only",
    instead: ["and actor_id = ${actorId}", "and ${actorId}::uuid is not null"],
  },
  {
    mistake: "programs count as people",
    guard: "popular-with-people",
    instead: ["and person.kind = 'user'", ""],
  },
  {
    mistake: "one person who asks five times counts as five",
    guard: "popular-with-people",
    instead: ["having count(distinct asked.actor_id)", "having count(*)"],
  },
  {
    mistake: "each keystroke is a call of a model",
    guard: "typing-costs-nothing",
  },
];
