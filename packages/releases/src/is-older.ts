/** Whether a version (1.2.3, what follows a hyphen does not count) comes before another. */
export function isOlder(version: string, other: string): boolean {
  const [ours, theirs] = [parts(version), parts(other)];
  for (const at of [0, 1, 2]) {
    const [a = 0, b = 0] = [ours[at], theirs[at]];
    if (a !== b) return a < b;
  }
  return false;
}

function parts(version: string): number[] {
  return version.split("-", 1).join("").split(".").map(Number);
}
