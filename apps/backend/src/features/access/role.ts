export const roles = ["viewer", "editor", "owner"] as const;

/**
 * A viewer can read, an editor can change contents, an owner decides who has access. Each role includes the previous
 * ones.
 */
export type Role = (typeof roles)[number];

export function isAtLeast(role: Role | null | undefined, needed: Role): boolean {
  return role !== undefined && role !== null && roles.indexOf(role) >= roles.indexOf(needed);
}

export function stronger(a: Role | null | undefined, b: Role | null | undefined): Role | undefined {
  if (!a || !b) return a ?? b ?? undefined;
  return isAtLeast(b, a) ? b : a;
}

export function weaker(a: Role | null | undefined, b: Role | null | undefined): Role | undefined {
  if (!a || !b) return undefined;
  return isAtLeast(b, a) ? a : b;
}

/** For messages. */
export function withArticle(role: Role): string {
  return `${role === "viewer" ? "a" : "an"} ${role}`;
}
