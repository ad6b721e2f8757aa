/**
 * How many tokens a text costs a language model, estimated from above: usually one and a half times what o200k counts,
 * less for random letters and digits. Reads each character once, because exact counting takes a vocabulary of
 * megabytes, and each model has another.
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  for (let at = 0; at < text.length; ) {
    const kind = kindOf(text.charCodeAt(at));
    let end = at + 1;
    if (kind === "letter" || kind === "digit") {
      let digits = kind === "digit" ? 1 : 0;
      for (; end < text.length; end += 1) {
        const next = kindOf(text.charCodeAt(end));
        if (next === "digit") digits += 1;
        else if (next !== "letter") break;
      }
      tokens += tokensOfRun(text, at, end, digits);
    } else if (kind === "space") {
      while (end < text.length && kindOf(text.charCodeAt(end)) === "space") end += 1;
      // A single space belongs to the word behind it.
      tokens += end - at === 1 && text[at] === " " ? 0 : 1;
    } else {
      tokens += kind === "sign" ? 1 : tokensOfCode(text.charCodeAt(at));
    }
    at = end;
  }
  return Math.ceil(tokens);
}

type Kind = "letter" | "digit" | "space" | "sign" | "beyond";

function kindOf(code: number): Kind {
  if (code >= 0x80) return "beyond";
  if (isLower(code) || isUpper(code)) return "letter";
  if (code >= 0x30 && code <= 0x39) return "digit";
  return code === 0x20 || (code >= 0x09 && code <= 0x0d) ? "space" : "sign";
}

const isLower = (code: number) => code >= 0x61 && code <= 0x7a;
const isUpper = (code: number) => code >= 0x41 && code <= 0x5a;

/** Letters and digits: a number, an identifier, or words joined by capitals. */
function tokensOfRun(text: string, start: number, end: number, digits: number): number {
  const length = end - start;
  if (digits === length) return Math.ceil(length / 3);
  if (digits > 0) return Math.ceil(length * 0.7);
  let tokens = 0;
  for (let at = start; at < end; ) {
    let next = at + 1;
    while (next < end && isLower(text.charCodeAt(next))) next += 1;
    const isCapitals = next === at + 1 && isUpper(text.charCodeAt(at));
    if (isCapitals) while (next < end && isUpper(text.charCodeAt(next))) next += 1;
    tokens += tokensOfWord(next - at, isCapitals);
    at = next;
  }
  return tokens;
}

/** Longer than a word is a compound, or noise. */
const longestWord = 12;

function tokensOfWord(length: number, isCapitals: boolean): number {
  return Math.ceil(isCapitals || length > longestWord ? length * 0.6 : length / 3);
}

/** Each character of Chinese and Japanese, other than rare ones, is a token; an emoji has two halves. */
function tokensOfCode(code: number): number {
  if (code < 0x800) return 1;
  if (code >= 0x3000 && code < 0xa000) return 1.3;
  return code >= 0xd800 && code <= 0xdfff ? 1.5 : 2;
}
