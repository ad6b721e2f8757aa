import type { BulkDocument } from "../bulk-documents.ts";
import { type Dice, drawText } from "../fulltext/words.ts";
import { plantedWords } from "./planted-words.ts";

/** Planted documents are up to this old, and so are all others. */
export const oldestDays = 700;

/** Documents that have the planted words, each once to four times, beside others. */
export function drawMass(dice: Dice, count: number): BulkDocument[] {
  return Array.from({ length: count }, (_, number) => ({
    name: `report-${number}.txt`,
    text: [...plantedIn(dice), ...drawText(dice).split(" ").slice(0, dice.between(5, 60))].join(" "),
    updatedAt: new Date(Date.now() - dice.next() * oldestDays * 86_400_000),
  }));
}

function plantedIn(dice: Dice): string[] {
  return plantedWords.flatMap(({ word, share }) =>
    dice.next() < share ? Array.from({ length: times(dice) }, () => word) : [],
  );
}

/** Mostly once. */
function times(dice: Dice): number {
  const thrown = dice.next();
  return [0.6, 0.85, 0.95].filter((border) => thrown >= border).length + 1;
}
