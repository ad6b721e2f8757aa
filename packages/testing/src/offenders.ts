/**
 * Those that break a rule, and how: `name: what was wrong`, one line each. A rule over a catalog is one test that expects
 * none, so that it tells all of them at once.
 */
export async function offenders<Item>(
  items: Iterable<readonly [name: string, item: Item]>,
  check: (item: Item) => unknown,
): Promise<string[]> {
  const found: string[] = [];
  for (const [name, item] of items) {
    try {
      await check(item);
    } catch (error) {
      found.push(`${name}: ${error instanceof Error ? told(error) : error}`);
    }
  }
  return found;
}

/** A message of `expect` leaves out what differs in objects and long texts. */
function told(error: Error & { diff?: unknown; actual?: unknown; expected?: unknown }): string {
  const { message, actual, expected } = error;
  return actual === undefined && expected === undefined
    ? message
    : `${message}\n  ${brief(actual)}\n  ${brief(expected)}`;
}

function brief(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? String(value));
  return text.length > 500 ? `${text.slice(0, 500)}…` : text;
}
