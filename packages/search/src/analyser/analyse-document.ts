import { analyseName, wholeName } from "./analyse-name.ts";
import { analyseText } from "./analyse-text.ts";
import { TsvectorBuilder, type TsvectorText, toTsvector } from "./to-tsvector.ts";

export interface AnalysedDocument {
  name: TsvectorText;
  wholeName: string;
  body: TsvectorText;
}

/** What the index stores of a name and a text. */
export function analyseDocument({ name, text }: { name: string; text: string }): AnalysedDocument {
  return { name: toTsvector(analyseName(name)), wholeName: wholeName(name), body: bodyTsvector(text) };
}

function bodyTsvector(text: string): TsvectorText {
  const builder = new TsvectorBuilder();
  for (const term of analyseText(text)) {
    builder.add(term);
    if (builder.isFull) break;
  }
  return builder.finish();
}
