import { ProblemError } from "@svc/protocol/problem";

/** Two names on the caller's machine may be one here: é is one character or two. */
export function sentTwice(path: string): ProblemError {
  return new ProblemError("conflict", `${path} was sent twice, under names that look the same.`, {
    hint: "Rename one of the two.",
  });
}
