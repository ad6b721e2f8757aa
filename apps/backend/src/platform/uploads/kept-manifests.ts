import { sep } from "node:path";
import { LRUCache } from "lru-cache";
import type { SentManifest } from "./manifest.ts";

/** Parsed once, not for every pack. For all tenants, so its bytes are limited, not its number. */
export class KeptManifests {
  readonly #kept: LRUCache<string, SentManifest>;

  constructor(bytes: number) {
    this.#kept = new LRUCache({ maxSize: bytes, sizeCalculation: ({ memory }) => memory });
  }

  get bytes(): number {
    return this.#kept.calculatedSize;
  }

  get(place: string): SentManifest | undefined {
    return this.#kept.get(place);
  }

  /** Only what a command has accepted. */
  keep(place: string, manifest: SentManifest): void {
    this.#kept.set(place, manifest);
  }

  /** One of them, or all in the folder of a call that has ended. */
  forget(place: string): void {
    this.#kept.delete(place);
    for (const each of [...this.#kept.keys()]) if (each.startsWith(place + sep)) this.#kept.delete(each);
  }
}

export const keptManifests = new KeptManifests(128 * 1024 ** 2);
