import type { PersonKey } from "./company.ts";

/** A line that changes who may do what, and who types it. */
export interface RightsLine {
  by: PersonKey;
  words: readonly string[];
}

const line = (by: PersonKey, ...words: string[]): RightsLine => ({ by, words });

/** Before anything is put in. */
export const membership: readonly RightsLine[] = [
  line("mina", "groups", "create", "Finance"),
  line("mina", "groups", "add", "Finance", "samuel@kumo.example"),
  line("mina", "groups", "create", "Board"),
  line("mina", "groups", "add", "Board", "mina@kumo.example"),
  line("mina", "groups", "add", "Board", "samuel@kumo.example"),
  line("rin", "members", "add", "aiko@kumo.example", "--role", "editor", "--workspace", "営業"),
  line("mina", "members", "add", "shop-sync", "--role", "editor", "--workspace", "営業"),
  // May edit, and so shows how an AI member previews what a person would just do.
  line("mina", "members", "add", "Kumo Assistant", "--role", "editor", "--workspace", "marketing"),
];

/** Rin edits all of Marketing but this. */
export const boardRights: readonly RightsLine[] = [
  line("mina", "access", "restrict", "/board", "--workspace", "marketing"),
  line("mina", "access", "grant", "/board", "Board", "--role", "editor", "--workspace", "marketing"),
];

/** The one thing that Rin sees of Engineering. */
export const labelPrinterRights: readonly RightsLine[] = [
  line("mina", "access", "grant", "/label-printers", "rin@kumo.example", "--workspace", "engineering"),
];

/** Samuel sees what money is in, and no daily reports. */
export function financeRights(subject: string, role: "viewer" | "editor" = "viewer"): RightsLine[] {
  return [line("mina", "access", "grant", subject, "Finance", "--role", role, "--workspace", "営業")];
}
