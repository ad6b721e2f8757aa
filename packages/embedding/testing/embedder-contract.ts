import { expect, it } from "vitest";
import type { Embedder } from "../src/embedder.ts";
import { cosine } from "./cosine.ts";

const never = new AbortController().signal;
const asDocument = { purpose: "document", signal: never } as const;
const asQuery = { purpose: "query", signal: never } as const;

const query = "How do I get my money back?";
const related = "Customers are refunded within fourteen days of returning the goods.";
const unrelated = "The volcano erupted twice last winter and covered the island in ash.";

const hostile: Record<string, string> = {
  "an empty text": "",
  "a blank one": " \n\t\u3000",
  "100 kB of words": "refund policy ".repeat(7_200),
  "100 kB in one word": "a".repeat(100_000),
  "100 kB of blanks and a word": `${" ".repeat(100_000)}refund`,
  "100 kB of signs": "-".repeat(100_000),
  "100 kB of Japanese": "返金の規定".repeat(7_000),
  "100 kB of faces": "👩‍👩‍👧‍👦".repeat(4_000),
  "marks on a letter": `a${"\u0301".repeat(2_000)}`,
  "characters that are many": "ﷺ㌖ΐ".repeat(400),
  "a letter of two, lower case": "İ".repeat(700),
  "half a pair": "\ud800 refund \udc00",
  "a pair where it is cut": "😀".repeat(2_000),
  "control characters": "refund\u0000\u0007\u001b[31m\u007f\ufffe\uffff",
  "text from right to left": "\u202eסכום ההחזר\u202c",
  "nothing visible": "\u200b\u200d\ufeff\u2060",
  "the model's own marks": "[CLS] refund [SEP] [PAD] <s> </s> <|endoftext|>",
};

/** What every embedder promises, tested with a real model. */
export function embedderContract(create: () => Embedder): void {
  it("returns vectors of 768 numbers and length 1, and its token count", async () => {
    const { vectors, tokens } = await create().embed([query, related], asDocument);
    expect(vectors.map(({ length }) => length)).toEqual([768, 768]);
    for (const vector of vectors) expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
    expect(tokens).toBeGreaterThan(2);
  });

  it("puts a text closer to its question than another text", async () => {
    const [asked] = (await create().embed([query], asQuery)).vectors;
    const [near, far] = (await create().embed([related, unrelated], asDocument)).vectors;
    expect(cosine(asked, near)).toBeGreaterThan(cosine(asked, far) + 0.1);
  });

  it("gives a text the same vector every time, whatever else is in the request", async () => {
    const [alone] = (await create().embed([related], asDocument)).vectors;
    const [, between] = (await create().embed([unrelated.repeat(20), related, "x"], asDocument)).vectors;
    expect(cosine(alone, between)).toBeGreaterThan(0.999);
  });

  it("keeps the order of more texts than fit into one request", async () => {
    const embedder = create();
    const texts = Array.from({ length: embedder.textsPerRequest + 3 }, (_, index) => `invoice ${index}`);
    const { vectors } = await embedder.embed(texts, asDocument);
    expect(vectors).toHaveLength(texts.length);
    for (const index of [0, texts.length - 1]) {
      const [alone] = (await embedder.embed([texts[index] as string], asDocument)).vectors;
      const nearest = vectors.reduce((best, vector, at) =>
        cosine(vector, alone) > cosine(best, alone) ? (vectors[at] as Float32Array) : best,
      );
      expect(vectors.indexOf(nearest)).toBe(index);
    }
  });

  it("returns nothing for no texts", async () => {
    expect(await create().embed([], asDocument)).toEqual({ vectors: [], tokens: 0 });
  });

  it.each(Object.entries(hostile))("takes %s", async (_what, text) => {
    const embedder = create();
    const { vectors, tokens } = await embedder.embed([text], asDocument);
    expect(Math.hypot(...(vectors[0] as Float32Array))).toBeCloseTo(1, 5);
    expect(tokens).toBeLessThanOrEqual(Math.min(embedder.countTokens(text), embedder.maxTokens));
  });

  it("uses the beginning of a text that is too long", async () => {
    const long = `${related} `.repeat(200);
    const { vectors } = await create().embed([long, `${long}${unrelated}`], asDocument);
    expect(cosine(vectors[0], vectors[1])).toBeGreaterThan(0.9999);
  });

  it("does nothing once it was told to stop", async () => {
    const reason = new Error("enough");
    await expect(
      create().embed([query], { purpose: "query", signal: AbortSignal.abort(reason) }),
    ).rejects.toBe(reason);
  });
}
