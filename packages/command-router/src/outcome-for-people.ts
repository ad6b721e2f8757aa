import type { Change } from "@svc/protocol/exchange";
import type { Outcome } from "./dispatch.ts";

/** The same outcome, with paths that people can type: those of another workspace carry its name. */
export function outcomeForPeople({ shown, ...outcome }: Outcome): Outcome {
  if (!shown) return outcome;
  const { preview } = outcome;
  return {
    ...outcome,
    data: shown.data,
    ...(preview
      ? {
          preview: { ...preview, changes: preview.changes.map((change) => withPrefix(change, shown.prefix)) },
        }
      : {}),
  };
}

function withPrefix(change: Change, prefix: string): Change {
  const { before, after } = change;
  return {
    ...change,
    name: prefixed(change.name, prefix),
    ...(before ? { before: withPath(before, prefix) } : {}),
    ...(after ? { after: withPath(after, prefix) } : {}),
  };
}

function withPath(fields: Record<string, unknown>, prefix: string): Record<string, unknown> {
  return typeof fields.path === "string" ? { ...fields, path: prefixed(fields.path, prefix) } : fields;
}

function prefixed(text: string, prefix: string): string {
  return text.startsWith("/") ? `${prefix}${text}` : text;
}
