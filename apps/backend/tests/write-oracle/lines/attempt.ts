import type { ErrorCode } from "@svc/protocol/error-table";
import type { Own } from "../ledger.ts";
import type { Model } from "../model.ts";
import type { Person, Workspace } from "../things.ts";

/** Any of these codes; several if more than one thing is wrong, or if the order of the checks does not matter. */
export type Refusal = readonly ErrorCode[] | undefined;

/** A line that somebody types, whether it must succeed, and the state afterwards. */
export interface Attempt {
  words: string[];
  workspace?: Workspace | undefined;
  /** Content of the local file that the line names; for a folder, its files by path. */
  content?: string | Record<string, string>;
  refusal: Refusal;
  /** Refused by the last check only: the caller can change the place, but not the one thing in it. */
  isNearMiss?: boolean;
  /** The same line with different content, which must be answered alike: somebody guesses what is hidden there. */
  otherContent?: string | Record<string, string> | undefined;
  /** What its author is told on success, although it is not in the line. */
  knows?: readonly string[];
  /** What an earlier line of the same author said. */
  recalls?: readonly string[];
  /** Of an undo. */
  undoes?: Operation;
  /** The rule is about to change, so either answer is accepted. */
  isUnsettled?: boolean;
  apply(): Undoing | undefined;
}

/** How an operation is taken back. */
export interface Undoing {
  refusal(who: Person, own: Own): Refusal;
  isUnsettled?(who: Person, own: Own): boolean;
  /** Whether somebody can redo this operation; if absent, everybody who can undo. */
  mayRedo?(who: Person): boolean;
  apply(): void;
}

export interface Operation {
  id: string;
  command: string;
  actor: Person;
  knows: readonly string[];
  undoing: Undoing;
  isUndone: boolean;
  /** By the clock of the ledger. */
  at: number;
}

/** One roll of the dice: what a step picks among existing things. */
export interface Scene {
  model: Model;
  who: Person;
  /** From this world's names and contents, so that things collide. */
  name(choice: number): string;
  content(choice: number): string;
  /** An unused name. */
  newName(): string;
  picks: readonly [number, number, number];
  operations: Operation[];
}

export type Write = (scene: Scene) => Attempt | undefined;

export type Check = [fails: boolean, ...codes: ErrorCode[]];

/** The first check that fails refuses. */
export function refuseFirst(...checks: Check[]): Refusal {
  return checks.find(([fails]) => fails)?.slice(1) as ErrorCode[] | undefined;
}

export function choose<T>(from: readonly T[], pick: number): T | undefined {
  return from.length === 0 ? undefined : from[pick % from.length];
}
