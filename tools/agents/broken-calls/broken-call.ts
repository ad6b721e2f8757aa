import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A call as an agent gets it wrong, and what it meant. */
export interface BrokenCall {
  kind: string;
  /** One of three ways in. */
  line?: string;
  tool?: string;
  route?: string;
  /** Arguments of the tool. */
  given?: Record<string, unknown>;
  /** Body of the route. */
  body?: Record<string, unknown>;
  /** The command that `next` has to end with, successfully. */
  means: string;
  /** Exactly these arguments. */
  with?: Record<string, unknown>;
  /** In this workspace. */
  in?: string;
  /** If it is a look-up: what was wrong or missing in the call, which the answer has to contain. */
  shows?: string;
}

/** Written before anything answered with `next`, and frozen: a case that fails is a failure, not a wrong case. */
export function handWrittenCalls(): BrokenCall[] {
  return JSON.parse(readFileSync(join(import.meta.dirname, "by-hand.json"), "utf8")) as BrokenCall[];
}

/** With the ids of the world in place of `$file`. */
export function inWorld<Value>(value: Value, ids: Record<string, string>): Value {
  const text = JSON.stringify(value).replaceAll(/\$(\w+)/g, (whole, name: string) => ids[name] ?? whole);
  return JSON.parse(text) as Value;
}
