/** What is searched, and by which queries. */
export interface OrderedCorpus {
  name: string;
  size: number;
  /** The same each time it is read. */
  documents(): Iterable<{ name: string; text: string; updatedAt: Date }>;
  /** Of the folder with this number, counted from 0. */
  folderName(number: number): string;
  queries: readonly string[];
}
