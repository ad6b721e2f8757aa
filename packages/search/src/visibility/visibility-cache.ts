import type { TenantTransaction } from "@svc/database/database";
import type { Visibility } from "./visible-documents.ts";

const usualEntries = 500;

/** Something about what a caller may see, remembered for a while: who sees the same shares it. */
export class VisibilityCache<Value> {
  readonly #known = new Map<string, { until: number; value: Value }>();
  readonly #entries: number;

  constructor(entries = usualEntries) {
    this.#entries = entries;
  }

  async of(
    { tenantId }: TenantTransaction,
    visibility: Visibility,
    read: () => Promise<Value>,
    millis: (value: Value) => number,
  ): Promise<Value> {
    const key = keyOf(tenantId, visibility);
    const now = performance.now();
    const known = this.#known.get(key);
    if (known && known.until > now) return known.value;
    const value = await read();
    this.#known.delete(key);
    const oldest = this.#known.keys().next();
    if (this.#known.size >= this.#entries && !oldest.done) this.#known.delete(oldest.value);
    this.#known.set(key, { until: now + millis(value), value });
    return value;
  }
}

function keyOf(tenantId: string, { workspaceIds, scopeIds }: Visibility): string {
  const scopes = scopeIds === "all" ? "all" : scopeIds.toSorted().join();
  return `${tenantId} ${workspaceIds.toSorted().join()} ${scopes}`;
}
