import type { AuditEntry } from "@svc/command-router/audit-entry";

/** What was done, without a word of whoever did it: visitors of the demo leave nothing behind, but the log does not forget. */
export function withoutText({ changes, arguments: _, cut: __, ...facts }: AuditEntry): AuditEntry {
  return {
    ...facts,
    arguments: {},
    ...(changes ? { changes: changes.map(({ action, type }) => ({ action, type, name: "" })) } : {}),
  };
}
