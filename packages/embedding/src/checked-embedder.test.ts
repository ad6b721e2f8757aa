import { hasStackedMarks } from "@svc/unicode/stacked-marks";
import { expect, onTestFinished, test, vi } from "vitest";
import { checkedEmbedder } from "./checked-embedder.ts";
import { embeddingDimensions } from "./embedder.ts";
import { countWithTokenizer } from "./local/count-with-tokenizer.ts";
import { tokenBound } from "./token-bound.ts";

/** Two kinds in turn: sorting them is what takes so long. */
const stacked = `e${"\u0301\u0323".repeat(8_000)} refund`;

/** As BERT's tokeniser begins. */
const encode = (text: string) => Array.from(text.normalize("NFD"), () => 1);

test.for([
  ["by a bound", tokenBound],
  ["by a tokeniser", (text: string) => countWithTokenizer(text, encode)],
] as const)(
  "a text with stacked marks does not slow down counting its tokens %s",
  async ([, countTokens]) => {
    const sent: string[] = [];
    const embedder = checkedEmbedder({
      model: "any",
      maxTokens: 1_000,
      dimensions: embeddingDimensions,
      perRequest: { texts: 10, tokens: 10_000 },
      countTokens,
      embed: async (texts) => {
        sent.push(...texts);
        return { vectors: texts.map(() => Array.from({ length: embeddingDimensions }, () => 1)), tokens: 1 };
      },
    });
    const normalize = vi.spyOn(String.prototype, "normalize");
    onTestFinished(() => normalize.mockRestore());
    const normalised = () => normalize.mock.contexts.map(String);
    embedder.countTokens(stacked);
    expect(normalised()).not.toEqual([]);
    await embedder.embed([stacked], { purpose: "document", signal: never });
    expect(normalised().filter(hasStackedMarks)).toEqual([]);
    expect(sent).toEqual([`e${"\u0301\u0323".repeat(15)} refund`]);
  },
);

const never = new AbortController().signal;
