export const everyScope = "*";

/** What commands ask for: `files:read`. A scope of this form counts as ours even if no command has it any more. */
export function isScope(text: string): boolean {
  return text === everyScope || /^[a-z]+(?:-[a-z]+)*:(?:read|write)$/.test(text);
}
