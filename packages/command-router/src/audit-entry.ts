import type { Change } from "@svc/protocol/exchange";

export interface AuditEntry {
  command: string;
  effect: string;
  arguments: Record<string, unknown>;
  outcome: "committed" | "previewed" | "refused";
  /** Its number in a batch, which has an entry too. */
  line?: number;
  code?: string;
  operation?: string;
  changes?: readonly Change[];
  /** The number of changes left out of a large operation. */
  moreChanges?: number;
  /** Size and digest of the full arguments and changes, if they were cut. */
  cut?: { bytes: number; sha256: string };
  /** Further refusals within the minute are counted and have no entries. */
  countingFollows?: true;
  /** The number of refusals without entries, by command. */
  more?: number;
  byCommand?: Record<string, number>;
}
