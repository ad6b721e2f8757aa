/** What is said to who looks in vain for a text that was not read, by how reading it ended. */
export const unreadText: Readonly<Record<string, string>> = {
  encrypted: "Its text is encrypted: put it without its password.",
  empty: "No text was found in it; a scan has none.",
  too_large: "It is too large for its text to be read.",
  timeout: "Its text could not be read in time.",
  crash: "Its text could not be read.",
  unsupported: "Texts of its format are not read.",
  truncated: "Only the beginning of its text was read.",
};
