/** Longest first: 에서는 is one ending, not 는 after 에서. */
const particle =
  /(?:에서는|에서도|으로는|으로써|으로서|에게서|까지는|부터는|이라는|에서|에게|에는|에도|으로|까지|부터|처럼|보다|마다|조차|밖에|이나|이라|라는|하고|이며|은|는|이|가|을|를|에|의|와|과|도|로|만|나|께)$/u;

/** 학교에서 → 학교. At least two syllables stay, or 나이 (age) would become 나 (I). */
export function stripKoreanParticle(word: string): string {
  const bare = word.replace(particle, "");
  return bare.length >= 2 ? bare : word;
}
