import { availableParallelism } from "node:os";
import type { ProgressAnswer } from "@svc/protocol/exchange";
import type { ReadingOptions } from "../text/run-reader.ts";
import { filesOf, type StagedFile } from "./staged-file.ts";

/**
 * Reads the text of a file or folder before its command runs. Reads only as many at once as there are readers, because
 * a document that waits too long for its turn is abandoned.
 */
export async function readTexts(
  file: StagedFile,
  options: Required<ReadingOptions>,
  progress: (progress: Omit<ProgressAnswer, "kind">) => void,
): Promise<void> {
  const waiting = filesOf(file).filter(({ isDescribed }) => !isDescribed);
  const total = waiting.length;
  const lane = async () => {
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      await next.text(options);
      if (total > 1) progress({ label: "Reading", done: total - waiting.length, total, unit: "files" });
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, lane));
}
