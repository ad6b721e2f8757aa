/** Time limits of one step of a search. If texts take longer, only names are searched. */
export const timeLimits = { millis: 1_500, namesMillis: 1_000 };
