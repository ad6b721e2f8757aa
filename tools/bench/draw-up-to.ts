import type { Embedder } from "@svc/embedding/embedder";
import { type Dice, drawText } from "./fulltext/words.ts";

/** A text of that many tokens, or slightly fewer. */
export function drawUpTo(embedder: Embedder, dice: Dice, tokens: number): string {
  const words = drawText(dice).split(" ");
  while (embedder.countTokens(words.join(" ")) > tokens) words.pop();
  return words.join(" ");
}
