import { type AnalysedDocument, analyseDocument } from "./analyse-document.ts";

/** The code of the threads of `analyse-documents.ts`. */
export default function analyse(documents: Parameters<typeof analyseDocument>[0][]): AnalysedDocument[] {
  return documents.map(analyseDocument);
}
