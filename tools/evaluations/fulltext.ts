import type { Evaluation } from "../evaluate/evaluation.ts";
import { evaluateCollections } from "../evaluate/judged-collections.ts";

export default {
  summary: "answers by words are as good as they were, on judged collections",
  run: (given) => evaluateCollections("fulltext", given),
} satisfies Evaluation;
