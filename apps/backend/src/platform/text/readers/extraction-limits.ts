const MiB = 1024 ** 2;

/**
 * Limit in UTF-8 bytes. A novel has 1 MB, like the longest tsvector. A process that read the dozen largest hostile
 * files, one after the other, grew by 81 MiB with 4 MiB of text each, and by 31 MiB with 2.
 */
export const maxTextBytes = 2 * MiB;

/** A PDF is read from its end, so all of it is in memory. */
export const maxPdfBytes = 128 * MiB;

/** HTML, mail and RTF are read from the beginning; of a larger file, only this much. */
export const maxMarkupBytes = 32 * MiB;

/** Nesting limit of elements or groups. htmlparser2 moves its whole stack for each: a million would take hours. */
export const maxDepth = 10_000;

export const maxArchiveEntries = 20_000;

/** Limit of all parts that are read. A sheet of a million rows has about 100 MB. */
export const maxUnpackedBytes = 256 * MiB;

/** Office XML shrinks to a tenth, sheets of equal cells to a hundredth, bombs to a thousandth, which is deflate's limit. */
export const maxCompressionRatio = 200;

/** Smaller parts can have any ratio. */
export const minSuspiciousBytes = 1 * MiB;
