/** Small files of a folder are downloaded in packs: several contents in one answer, within these limits. */
export const packedFileBytes = 256 * 1_024;
export const packBytes = 8 * 1_024 * 1_024;
export const packFiles = 1_000;

/** Comes before each content of a pack, so that a wrong or missing one is noticed. */
export function packHead({ sha256, size }: { sha256: string; size: number }): string {
  return `${sha256} ${size}\n`;
}
