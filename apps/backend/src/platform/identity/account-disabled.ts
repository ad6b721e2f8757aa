import { ProblemError } from "@svc/protocol/problem";

/** Shown only to callers who have proved that they are that account. */
export function accountDisabled(): ProblemError {
  return new ProblemError("not_permitted", "Your account is disabled.", {
    hint: "Ask an administrator of your tenant to enable it.",
  });
}
