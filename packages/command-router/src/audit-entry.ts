import type { Change } from "@svc/protocol/exchange";

export interface AuditEntry {
  command: string;
  effect: string;
  arguments: Record<string, unknown>;
  outcome: "committed" | "previewed" | "refused";
  code?: string;
  operation?: string;
  changes?: readonly Change[];
  /** Changes that are left out, in a large operation. */
  moreChanges?: number;
  /** Of arguments and changes in full, where they were cut. */
  cut?: { bytes: number; sha256: string };
  /** Refusals that follow within the minute are counted, and have no entries. */
  countingFollows?: true;
  /** So many refusals, by command, that have no entries. */
  more?: number;
  byCommand?: Record<string, number>;
}
