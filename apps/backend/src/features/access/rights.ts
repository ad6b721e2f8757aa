import { createHash } from "node:crypto";
import { isAtLeast, type Role, stronger, weaker } from "./role.ts";

/** A scope with the roles from the caller's own entries; `everyone` is the entry for all members of the workspace. */
export interface ScopeRow {
  id: string;
  parentId: string | null;
  inherits: boolean;
  anchorId: string;
  own: Role | null;
  everyone: Role | null;
}

/**
 * The rights of one caller in one workspace, by scope. Pure, so that it can be compared with an oracle.
 *
 * A scope gives the roles of its entries and, if it inherits, those of the scope above. Owners of the workspace stay
 * owners below a restriction: otherwise nobody could lift one whose creator has left.
 */
export class Rights {
  readonly #roles: ReadonlyMap<string, Role | undefined>;
  readonly #scopes: readonly ScopeRow[];
  readonly #anchors: readonly string[];
  readonly #isAdministrator: boolean;

  private constructor(
    scopes: readonly ScopeRow[],
    roles: ReadonlyMap<string, Role | undefined>,
    isAdministrator: boolean,
  ) {
    this.#isAdministrator = isAdministrator;
    this.#roles = roles;
    this.#scopes = scopes;
    this.#anchors = scopes
      .filter(
        ({ id, parentId }) =>
          roles.get(id) !== undefined && parentId !== null && roles.get(parentId) === undefined,
      )
      .map(({ anchorId }) => anchorId);
  }

  static of(scopes: readonly ScopeRow[], workspaceId: string, isAdministrator: boolean): Rights {
    return new Rights(scopes, rolesOf(scopes, workspaceId), isAdministrator);
  }

  /** What both may do: of somebody who acts for somebody else. */
  within(other: Rights): Rights {
    if (this.#isAdministrator) return other;
    if (other.#isAdministrator) return this;
    // guard: both-must-have-the-right
    const roles = new Map(
      [...this.#roles].map(([id, role]) => [id, weaker(role, other.roleIn(id))] as const),
    );
    return new Rights(this.#scopes, roles, false);
  }

  roleIn(scopeId: string): Role | undefined {
    return this.#isAdministrator ? "owner" : this.#roles.get(scopeId);
  }

  /** Scopes that the caller can read; "all" for an administrator. Every query filters by these. */
  get readable(): readonly string[] | "all" {
    if (this.#isAdministrator) return "all";
    return [...this.#roles].filter(([, role]) => isAtLeast(role, "viewer")).map(([id]) => id);
  }

  /**
   * Scopes above something that the caller can see, although they cannot see the scope itself: folders on the way show
   * their names.
   */
  get anchorsBelowHidden(): readonly string[] {
    return this.#isAdministrator ? [] : this.#anchors;
  }

  /**
   * Equal for equal rights. Leaves out scopes that give the same as the one above, so that a list made for somebody
   * else does not count.
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

function rolesOf(scopes: readonly ScopeRow[], workspaceId: string): ReadonlyMap<string, Role | undefined> {
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
  return roles;
}
