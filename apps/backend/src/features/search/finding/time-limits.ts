/** Of one step of a search. A search whose texts take longer goes through names alone. */
export const timeLimits = { millis: 1_500, namesMillis: 1_000 };
