/**
 * Time limits of one step of a search. If it takes longer, a sample is searched, then names alone, for a short time each; typos
 * stay as typed.
 */
export const timeLimits = { millis: 1_500, shortMillis: 1_000, correctMillis: 300 };
