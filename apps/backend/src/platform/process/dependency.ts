import { ProblemError } from "@svc/protocol/problem";

/** What this process needs besides itself: PostgreSQL, the blob store, embedding models, the identity provider. */
export type Dependency = "database" | "store" | "model" | "provider";

/** Says where an error comes from, unless it says so already. Marked, not wrapped: its type, code and stack stay. */
export function markOrigin<T>(error: T, dependency: Dependency): T {
  if (error instanceof Error && originOf(error) === undefined) Object.assign(error, { dependency });
  return error;
}

/** Runs work at the border to a dependency. Problems and aborts come from this side of the border. */
export async function attribute<T>(dependency: Dependency, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw isOurs(error) ? error : markOrigin(error, dependency);
  }
}

function isOurs(error: unknown): boolean {
  return error instanceof ProblemError || (error as Error).name === "AbortError";
}

/** The dependency that an error, or what caused it, comes from. */
export function originOf(error: unknown): Dependency | undefined {
  for (let each = error; each instanceof Error; each = each.cause) {
    const { dependency } = each as { dependency?: Dependency };
    if (dependency !== undefined) return dependency;
  }
  return undefined;
}
