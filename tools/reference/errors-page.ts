import { type ErrorCode, errorCodes, errorTable } from "@svc/protocol/error-table";
import { exitCode } from "@svc/protocol/exit-code";
import { code, table } from "./markdown.ts";

/** When it happens and what to do: the compiler asks for a line for every error. */
const advice: Record<ErrorCode, string> = {
  unauthenticated: "The credential is missing, wrong, expired or revoked. Log in, or use another token.",
  not_permitted: "You can see it, but your role or your credential's scopes do not allow this.",
  usage:
    "The line does not name a command, or not in a form that svc understands. The hint says what to type.",
  invalid_arguments: "An argument is missing, unknown or has a wrong value. The answer names it.",
  invalid_request: "The HTTP request is malformed: its JSON, headers or length.",
  method_not_allowed: "The address exists, but not for this HTTP method.",
  unsupported_media_type: "Send JSON, or for uploads what the upload protocol asks for.",
  not_found: "It does not exist, or you have no access to it. The two are answered alike.",
  address_expired: "A download or upload address is too old. Run the command again to get a new one.",
  conflict:
    "The state has changed or does not allow it, such as a name that is taken. Read it again, then retry.",
  idempotency_key_reused:
    "The same `Idempotency-Key` came with another request. Use a new key for a new request.",
  digest_mismatch: "The bytes that arrived are not those that were announced. Send them again.",
  too_large: "A file, request or limit is exceeded. The answer names the limit.",
  range_not_satisfiable: "The requested part of the file does not exist.",
  confirmation_required:
    "Preview first, then confirm with the token of the preview, or with `--confirm true`.",
  approval_pending:
    "An AI member asked for something that a person has to approve. Repeat the same line once `svc approvals show` says that somebody did.",
  approval_denied: "A person said no to what an AI member asked for; the answer has the reason.",
  unavailable: "The service is overloaded, shutting down or without its database. Retry after `Retry-After`.",
  too_many_requests: "A rate limit is reached. Retry after `Retry-After`.",
  timeout: "It took too long and was rolled back. Narrow the request, or retry later.",
  internal: "An error in the service, logged with the request id of the answer. Report that id.",
};

const exitMeanings: Record<keyof typeof exitCode, string> = {
  done: "Done, or previewed.",
  notLoggedIn: "Not logged in.",
  expired: "The login has expired.",
  notPermitted: "Not permitted.",
  usage: "The line cannot be understood, or something in it is missing.",
  notFound: "Not found.",
  conflict: "Conflict with the current state.",
  tooLarge: "Too large.",
  notConfirmed: "Refused without confirmation.",
  unavailable: "The service is unavailable.",
  tooManyRequests: "Too many requests.",
  timeout: "Time limit reached.",
  internal: "Internal error, in the service or in svc.",
  noNetwork: "The service cannot be reached.",
  tls: "The service's certificate cannot be trusted.",
  proxy: "The proxy refuses or cannot be reached.",
  disk: "A local file cannot be read or written.",
  helperMissing: "A program that svc needs is missing, such as svc-agent.",
  updateRefused: "The update is not trusted, and nothing was replaced.",
  failedCheck: "The result is complete, but reports a failed check.",
  interrupted: "Interrupted with Ctrl-C.",
};

export function errorsPage(): string {
  const errors = errorCodes.map((name) => {
    const { status, exitCode: exit, title } = errorTable[name];
    return [code(name), String(status), String(exit), `${title}. ${advice[name]}`];
  });
  const exits = (Object.keys(exitCode) as (keyof typeof exitCode)[]).map((name) => [
    String(exitCode[name]),
    exitMeanings[name],
    errorCodes
      .filter((error) => errorTable[error].exitCode === exitCode[name])
      .map(code)
      .join(", "),
  ]);
  return [
    "# Errors and exit codes",
    "Every failed request answers `application/problem+json` with a `code` from this table, a `detail` that says what happened, and often a `hint` that says what to do. `svc` prints them as `error:` and `hint:` and ends with the exit code.",
    table(["code", "status", "exit code", "meaning"], errors),
    "## Exit codes",
    "10s: who you are. 20s: what you asked for. 30s: the service. 40s: your machine. 50: updates. 60: a failed check.",
    table(["exit code", "meaning", "errors"], exits),
  ].join("\n\n");
}
