/** Far below the 2,046 bytes of a lexeme: nobody types more, and text without spaces (base64) must not fill the index. */
const longestTerm = 200;

/** Cuts at a whole character. */
export function cutTerm(term: string): string {
  if (term.length * 3 <= longestTerm || Buffer.byteLength(term) <= longestTerm) return term;
  let bytes = 0;
  let end = 0;
  for (const character of term) {
    bytes += Buffer.byteLength(character);
    if (bytes > longestTerm) break;
    end += character.length;
  }
  return term.slice(0, end);
}
