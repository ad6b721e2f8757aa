/** Header names, in lower case as Node reports them. */
export const headers = {
  idempotencyKey: "idempotency-key",
  idempotencyReplayed: "idempotency-replayed",
  sessionTicket: "x-cli-session-ticket",
  ambientWorkspace: "x-svc-ambient-workspace-id",
  completion: "x-svc-completion",
  requestId: "x-request-id",
  minimumClient: "x-svc-min-client",
  uploadOffset: "upload-offset",
  uploadLength: "upload-length",
  representationDigest: "repr-digest",
} as const;
