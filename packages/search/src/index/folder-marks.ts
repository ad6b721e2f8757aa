import { analyseName } from "../analyser/analyse-name.ts";
import { quoteLexeme } from "../analyser/to-tsvector.ts";

/** A word of a folder's name, as only folders have it. No word of the analyser has the sign. */
export function folderMark(term: string): string {
  return quoteLexeme(`/${term}`);
}

/**
 * Written beside the words of a folder's name, so that the word index finds the folders with a word and no file: a
 * common word is in few folders and in many files.
 */
export function folderMarks(name: string): string[] {
  return [...new Set(analyseName(name).map(({ term }) => folderMark(term)))];
}
