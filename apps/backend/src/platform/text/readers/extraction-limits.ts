const MiB = 1024 ** 2;

/**
 * Of UTF-8. A novel has 1 MB, and so has the longest tsvector. A process that had the dozen largest hostile files
 * read, one after the other, grew by 81 MiB with 4 MiB of text each, and by 31 with 2.
 */
export const maxTextBytes = 2 * MiB;

/** A PDF is found from its end, so it is held as a whole. */
export const maxPdfBytes = 128 * MiB;

/** HTML, mail and RTF are read from the beginning: of a larger one, this much. */
export const maxMarkupBytes = 32 * MiB;

/** Of elements or groups in one another. htmlparser2 moves its whole stack for each: a million would take hours. */
export const maxDepth = 10_000;

export const maxArchiveEntries = 20_000;

/** Of the parts that are read, together. A sheet of a million rows has about 100 MB. */
export const maxUnpackedBytes = 256 * MiB;

/** Office XML shrinks to a tenth, sheets of equal cells to a hundredth, bombs to a thousandth, which is deflate's limit. */
export const maxCompressionRatio = 200;

/** Smaller parts may shrink as they like. */
export const minSuspiciousBytes = 1 * MiB;
