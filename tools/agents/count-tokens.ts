import { countTokens as countExactly } from "gpt-tokenizer/encoding/o200k_base";

/** The yardstick of all our figures. Words like `<|endoftext|>` are text here: they cost what their letters cost. */
export function countTokens(text: string): number {
  return countExactly(text, { disallowedSpecial: new Set() });
}
