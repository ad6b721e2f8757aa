import { readFileSync } from "node:fs";
import { join } from "node:path";
import { findTaggedTests, type TaggedTest } from "./tagged-tests.ts";

const mostDays = 14;
const dayMillis = 86_400_000;

export interface QuarantinedTest {
  place: string;
  /** When it was put there, at midnight in UTC. Absent if no comment says `quarantine YYYY-MM-DD: reason`. */
  since?: Date;
  reason: string;
}

export function findQuarantined(repository: string, files: readonly string[]): QuarantinedTest[] {
  return files
    .flatMap((file) => findTaggedTests(file, readFileSync(join(repository, file), "utf8"), ["quarantine"]))
    .map(readQuarantine);
}

export function readQuarantine({ file, line, comment }: TaggedTest): QuarantinedTest {
  const place = `${file}:${line}`;
  const [, day = "", reason = ""] = /^quarantine (\d{4}-\d\d-\d\d): *(\S.*)$/m.exec(comment) ?? [];
  const since = new Date(day);
  // February 30 is March 2 to JavaScript.
  if (Number.isNaN(since.getTime()) || !since.toISOString().startsWith(day)) return { place, reason };
  return { place, since, reason };
}

/** What should have been mended by now. One without a day has been there for too long, too. */
export function findOverdue(quarantined: readonly QuarantinedTest[], today: Date): QuarantinedTest[] {
  return quarantined.filter(
    ({ since }) => since === undefined || today.getTime() - since.getTime() >= (mostDays + 1) * dayMillis,
  );
}
