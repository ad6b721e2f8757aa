/** What excludes something from a search, and what to do. */
export interface Obstacle {
  reason: string;
  remedy: string;
}

/** If both ways fail: both reasons, unless they are the same. */
export function bothObstacles(byWords: Obstacle | undefined, byMeaning: Obstacle): Obstacle {
  if (byWords === undefined || byWords.reason === byMeaning.reason) return byMeaning;
  return {
    reason: `${byWords.reason}; by meaning: ${byMeaning.reason}`,
    remedy: [...new Set([byWords.remedy, byMeaning.remedy])].join(" "),
  };
}
