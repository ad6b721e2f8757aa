import { ProblemError } from "@svc/protocol/problem";

/** Told only to somebody who has proved to be that account. */
export function accountDisabled(): ProblemError {
  return new ProblemError("not_permitted", "Your account is disabled.", {
    hint: "Ask an administrator of your tenant to enable it.",
  });
}
