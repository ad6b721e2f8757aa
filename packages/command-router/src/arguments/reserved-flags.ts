/** Understood by every command, anywhere in the line; no command may have an argument of the same name. */
export const reservedFlags = {
  all: { type: "boolean" },
  "dry-run": { type: "boolean" },
  confirm: { type: "string" },
  help: { type: "boolean", short: "h" },
  json: { type: "boolean" },
  results: { type: "boolean" },
  skill: { type: "boolean" },
  workspace: { type: "string" },
} as const;

export type ReservedFlag = keyof typeof reservedFlags;

export function isReserved(flag: string): flag is ReservedFlag {
  return Object.hasOwn(reservedFlags, flag);
}
