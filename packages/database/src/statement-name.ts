const maxStatements = 500;
const names = new Map<string, string>();

/**
 * A name for a statement, so that each connection parses and plans it once. Statements are few, because values travel
 * as parameters and lists as arrays; should one be built from its values after all, it stays nameless beyond the bound
 * instead of filling the memory of every connection.
 */
export function statementName(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= maxStatements) return known;
  const name = `svc_${names.size}`;
  names.set(text, name);
  return name;
}
