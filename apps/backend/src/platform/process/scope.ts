export const everyScope = "*";

/** A scope of a command, such as `files:read`. A scope of this form counts as ours even if no command uses it any more. */
export function isScope(text: string): boolean {
  return text === everyScope || /^[a-z]+(?:-[a-z]+)*:(?:read|write)$/.test(text);
}
