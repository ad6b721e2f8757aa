import type { Evaluation } from "../evaluate/evaluation.ts";
import { evaluateCollections } from "../evaluate/judged-collections.ts";

export default {
  summary: "words and meaning together answer better than words alone, on judged collections",
  run: (given) => evaluateCollections("hybrid", given),
} satisfies Evaluation;
