const prefix = "file:";

/** The path in a word that names a file of the caller's machine: `file:x` means the file x, whatever x looks like. */
export function localPath(word: string): string {
  return word.startsWith(prefix) ? word.slice(prefix.length) : word;
}

export function hasFilePrefix(word: string): boolean {
  return word.startsWith(prefix);
}
