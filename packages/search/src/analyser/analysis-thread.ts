import { type AnalysedDocument, analyseDocument } from "./analyse-document.ts";

/** What the threads of `analyse-documents.ts` run. */
export default function analyse(documents: Parameters<typeof analyseDocument>[0][]): AnalysedDocument[] {
  return documents.map(analyseDocument);
}
