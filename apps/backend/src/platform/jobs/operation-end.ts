import { decodeId } from "@svc/protocol/typed-id";

const shortest = 4;

/** Of an operation's id, so that people can type it: `7k2q`. Others are the ids that it must not be taken for. */
export function shortestEnd(id: string, others: readonly string[]): string {
  for (let length = shortest; length < id.length; length += 1) {
    const end = id.slice(-length);
    if (!others.some((other) => other !== id && other.endsWith(end))) return end;
  }
  return id;
}

/** What `end_of_id` holds for ids with this end, or undefined if it is too short or not an end of any id. */
export function storedEnd(typed: string): string | undefined {
  if (!/^[0-9a-hjkmnp-tv-z]{4,26}$/.test(typed)) return undefined;
  return decodeId(`op_${typed.slice(-shortest).padStart(26, "0")}`, "operation")?.slice(-5);
}
