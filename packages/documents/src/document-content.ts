/** What a generated document says, whatever its format. English and Japanese. */
export interface DocumentContent {
  title: string;
  paragraphs: readonly string[];
  table?: readonly (readonly string[])[];
}
