import type { TenantTransaction } from "@svc/database/database";
import { LRUCache } from "lru-cache";
import type { Visibility } from "./visible-documents.ts";

const usualEntries = 500;

/** Remembers something about what a caller can see; callers who see the same share it. */
export class VisibilityCache<Value extends object> {
  readonly #values: LRUCache<string, Value>;

  constructor(entries = usualEntries) {
    this.#values = new LRUCache({ max: entries, ttlResolution: 0 });
  }

  async of(
    { tenantId }: TenantTransaction,
    visibility: Visibility,
    read: () => Promise<Value>,
    millis: (value: Value) => number,
  ): Promise<Value> {
    const key = keyOf(tenantId, visibility);
    const remembered = this.#values.get(key);
    if (remembered) return remembered;
    const start = performance.now();
    const value = await read();
    const ttl = millis(value);
    // For the library, no time is forever.
    if (ttl > 0) this.#values.set(key, value, { ttl, start });
    return value;
  }
}

function keyOf(tenantId: string, { workspaceIds, scopeIds }: Visibility): string {
  const scopes = scopeIds === "all" ? "all" : scopeIds.toSorted().join();
  return `${tenantId} ${workspaceIds.toSorted().join()} ${scopes}`;
}
