import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Drawn by a script, or written by hand. */
export type Origin = "drawn" | "written";

/** A query by somebody who knows what they want, and what they want. */
export interface KnownItem {
  /** Which part of it they remember: its name, a folder, a date, a code, a person, or its content. */
  remembered: string;
  language: string;
  query: string;
  origin: Origin;
  /** Any of these, as workspace/path; `*` stands for anything. */
  wanted: readonly string[];
}

/** One line each: what is remembered, language, query, and what is wanted. */
export function readKnownItems(origin: Origin): KnownItem[] {
  return readFileSync(fileOf(origin), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const [remembered = "", language = "", query = "", ...wanted] = line.split("\t");
      return { remembered, language, query, origin, wanted };
    });
}

export function writeKnownItems(origin: Origin, items: readonly KnownItem[]): void {
  const lines = items.map(({ remembered, language, query, wanted }) =>
    [remembered, language, query, ...wanted].join("\t"),
  );
  writeFileSync(fileOf(origin), `${lines.join("\n")}\n`);
}

function fileOf(origin: Origin): string {
  return join(import.meta.dirname, `${origin}-items.tsv`);
}

/** 1 is the best; undefined if it was not found. */
export function rankOf({ wanted }: KnownItem, found: readonly string[]): number | undefined {
  const index = found.findIndex((path) => isWanted(wanted, path));
  return index === -1 ? undefined : index + 1;
}

export function isWanted(wanted: readonly string[], path: string): boolean {
  return wanted.some((pattern) => {
    const [begin = "", end] = pattern.split("*", 2);
    if (end === undefined) return path === pattern;
    return path.startsWith(begin) && path.endsWith(end) && path.length >= begin.length + end.length;
  });
}
