/** What keeps something out of a search, and what helps. */
export interface Obstacle {
  reason: string;
  remedy: string;
}

/** Where two ways lead to nothing: both reasons, unless it is the same one. */
export function bothObstacles(byWords: Obstacle | undefined, byMeaning: Obstacle): Obstacle {
  if (byWords === undefined || byWords.reason === byMeaning.reason) return byMeaning;
  return {
    reason: `${byWords.reason}; by meaning: ${byMeaning.reason}`,
    remedy: [...new Set([byWords.remedy, byMeaning.remedy])].join(" "),
  };
}
