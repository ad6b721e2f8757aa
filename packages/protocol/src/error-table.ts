/**
 * Every error that may leave the server, with its HTTP status and the exit code of the client.
 * Each exit code has a name in exit-code.ts.
 */
export const errorTable = {
  unauthenticated: { status: 401, exitCode: 10, title: "Not authenticated" },
  not_permitted: { status: 403, exitCode: 12, title: "Not permitted" },
  usage: { status: 400, exitCode: 20, title: "Invalid command line" },
  invalid_arguments: { status: 400, exitCode: 20, title: "Invalid arguments" },
  invalid_request: { status: 400, exitCode: 20, title: "Invalid request" },
  method_not_allowed: { status: 405, exitCode: 20, title: "Method not allowed" },
  unsupported_media_type: { status: 415, exitCode: 20, title: "Unsupported media type" },
  not_found: { status: 404, exitCode: 21, title: "Not found" },
  address_expired: { status: 410, exitCode: 21, title: "Address expired" },
  conflict: { status: 409, exitCode: 22, title: "Conflict with the current state" },
  idempotency_key_reused: {
    status: 422,
    exitCode: 22,
    title: "Idempotency key already used for another request",
  },
  digest_mismatch: { status: 422, exitCode: 22, title: "Content does not match its digest" },
  too_large: { status: 413, exitCode: 23, title: "Too large" },
  range_not_satisfiable: { status: 416, exitCode: 23, title: "Range not satisfiable" },
  confirmation_required: { status: 409, exitCode: 24, title: "Confirmation required" },
  approval_pending: { status: 409, exitCode: 24, title: "Waiting for a person's approval" },
  approval_denied: { status: 403, exitCode: 12, title: "A person said no" },
  unavailable: { status: 503, exitCode: 30, title: "Service unavailable" },
  too_many_requests: { status: 429, exitCode: 31, title: "Too many requests" },
  timeout: { status: 504, exitCode: 32, title: "Time limit exceeded" },
  internal: { status: 500, exitCode: 33, title: "Internal error" },
} as const satisfies Record<string, { status: number; exitCode: number; title: string }>;

export type ErrorCode = keyof typeof errorTable;

export const errorCodes = Object.keys(errorTable) as [ErrorCode, ...ErrorCode[]];
