import { once } from "node:events";
import type { Readable } from "node:stream";

/** The next line that a person types; undefined at the end of the input. */
export async function readLine(input: Readable, signal: AbortSignal): Promise<string | undefined> {
  const { createInterface } = await import("node:readline");
  const lines = createInterface({ input });
  try {
    const [line] = await Promise.race([once(lines, "line", { signal }), once(lines, "close", { signal })]);
    return line;
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    lines.close();
  }
}
