export const roles = ["viewer", "editor", "owner"] as const;

/** viewer reads, editor changes what is there, owner decides who else may. Each can what the ones before it can. */
export type Role = (typeof roles)[number];

export function isAtLeast(role: Role | null | undefined, needed: Role): boolean {
  return role !== undefined && role !== null && roles.indexOf(role) >= roles.indexOf(needed);
}

export function stronger(a: Role | null | undefined, b: Role | null | undefined): Role | undefined {
  if (!a || !b) return a ?? b ?? undefined;
  return isAtLeast(b, a) ? b : a;
}

/** For messages. */
export function withArticle(role: Role): string {
  return `${role === "viewer" ? "a" : "an"} ${role}`;
}
