/** Letters by script, as terms have them: without accents. Words with other letters are not corrected. */
const alphabets = [
  "abcdefghijklmnopqrstuvwxyz",
  "абвгдежзийклмнопрстуфхцчшщъыьэюя",
  "αβγδεζηθικλμνξοπρστυφχψω",
];

/** The letters that a word of this script may have, or undefined if it has letters of no such script. */
export function alphabetOf(word: string): string | undefined {
  return alphabets.find((letters) => [...word].every((letter) => letters.includes(letter)));
}

/**
 * Every word that one slip of the hand turns into this one: two letters swapped, one too many, one wrong, one missing.
 * In this order, which decides how a correction is spelled if several words share a stem. Slips seldom change how a
 * word begins: with `keepFirst`, only a swap does.
 */
export function oneEditNeighbours(word: string, { keepFirst = false } = {}): string[] {
  const alphabet = [...(alphabetOf(word) ?? "")];
  const all = [...word].map((_, at) => [word.slice(0, at), word.slice(at)] as const);
  const places = keepFirst ? all.slice(1) : all;
  const swapped = all
    .filter(([, rest]) => rest.length > 1)
    .map(([begin, rest]) => `${begin}${rest.charAt(1)}${rest.charAt(0)}${rest.slice(2)}`);
  const shortened = places.map(([begin, rest]) => begin + rest.slice(1));
  const replaced = places.flatMap(([begin, rest]) =>
    alphabet.map((letter) => begin + letter + rest.slice(1)),
  );
  const lengthened = [...places, [word, ""] as const].flatMap(([begin, rest]) =>
    alphabet.map((letter) => begin + letter + rest),
  );
  const neighbours = new Set([...swapped, ...shortened, ...replaced, ...lengthened]);
  neighbours.delete(word);
  return [...neighbours];
}
