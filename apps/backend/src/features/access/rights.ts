import { createHash } from "node:crypto";
import { isAtLeast, type Role, stronger } from "./role.ts";

/** A scope with what the caller's own entries in it say; `everyone` is the entry for all members of the workspace. */
export interface ScopeRow {
  id: string;
  parentId: string | null;
  inherits: boolean;
  anchorId: string;
  own: Role | null;
  everyone: Role | null;
}

/**
 * What one caller may do in one workspace, by scope. Pure, so that it can be compared with an oracle.
 *
 * A scope gives what its entries say, and, where it inherits, what the scope above gives. Owners of the workspace stay
 * owners below a restriction: otherwise nobody could lift one whose maker has left.
 */
export class Rights {
  readonly #roles: ReadonlyMap<string, Role | undefined>;
  readonly #scopes: readonly ScopeRow[];
  readonly #anchors: readonly string[];
  readonly #isAdministrator: boolean;

  constructor(scopes: readonly ScopeRow[], workspaceId: string, isAdministrator: boolean) {
    this.#isAdministrator = isAdministrator;
    const byId = new Map(scopes.map((scope) => [scope.id, scope]));
    const membership = byId.get(workspaceId)?.own ?? undefined;
    const roles = new Map<string, Role | undefined>();
    const resolve = (scope: ScopeRow): Role | undefined => {
      if (roles.has(scope.id)) return roles.get(scope.id);
      const above = scope.parentId === null ? undefined : byId.get(scope.parentId);
      const inherited = above === undefined ? undefined : resolve(above);
      // guard: everyone-means-members
      const entry = stronger(scope.own, membership === undefined ? undefined : scope.everyone);
      // guard: restrictions-hold
      const kept = scope.inherits || membership === "owner" ? inherited : undefined;
      const role = stronger(entry, kept);
      roles.set(scope.id, role);
      return role;
    };
    for (const scope of scopes) resolve(scope);
    this.#roles = roles;
    this.#scopes = scopes;
    this.#anchors = scopes
      .filter(
        ({ id, parentId }) =>
          roles.get(id) !== undefined && parentId !== null && roles.get(parentId) === undefined,
      )
      .map(({ anchorId }) => anchorId);
  }

  roleIn(scopeId: string): Role | undefined {
    return this.#isAdministrator ? "owner" : this.#roles.get(scopeId);
  }

  /** Scopes that he may read; "all" for an administrator. What every query filters by. */
  get readable(): readonly string[] | "all" {
    if (this.#isAdministrator) return "all";
    return [...this.#roles].filter(([, role]) => isAtLeast(role, "viewer")).map(([id]) => id);
  }

  /** Where he may see something below what he may not: the folders that lead there show their names to him. */
  get anchorsBelowHidden(): readonly string[] {
    return this.#isAdministrator ? [] : this.#anchors;
  }

  /**
   * The same for the same rights. Scopes that give what the one above gives are left out, so that a list made for
   * somebody else does not count.
   */
  get fingerprint(): string {
    if (this.#isAdministrator) return "administrator";
    const own = this.#scopes.filter(
      ({ id, parentId }) => parentId === null || this.#roles.get(id) !== this.#roles.get(parentId),
    );
    const roles = own.map(({ id }) => `${id} ${this.#roles.get(id) ?? "none"}`).sort();
    return createHash("sha256").update(roles.join("\n")).digest("base64url");
  }

  get seesAnything(): boolean {
    return this.readable === "all" || this.readable.length > 0;
  }
}
