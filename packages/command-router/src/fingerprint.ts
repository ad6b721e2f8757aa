import { createHash } from "node:crypto";
import type { Change } from "@svc/protocol/exchange";
import type { Call } from "./call.ts";

type Asked = Pick<Call<never>, "workspace"> & { command: { path: string } };

/** What a run of a command did, as far as it can be compared with another run. */
export interface Done {
  changes: readonly Change[];
  /** What a token is bound to besides the changes: names can move from one thing to another. */
  bound: readonly unknown[];
  /** Ids of what lines of a batch made, in their order: they are new in each run. */
  made: ReadonlyMap<string, number>;
}

/** A digest of command, arguments, workspace and more: a retry must match its first call, a commit its preview. */
export function fingerprintOf({ command, workspace }: Asked, args: unknown, ...more: unknown[]): string {
  return createHash("sha256")
    .update(JSON.stringify([command.path, args, workspace ?? null, ...more]))
    .digest("base64url");
}

/** Everything that a preview's token and an approval are bound to. */
export async function previewDigest(
  call: Asked,
  args: unknown,
  unit: Done & { workspacesUsed(): Promise<string[]> },
): Promise<string> {
  const { changes, bound, made } = unit;
  const workspaces = (await unit.workspacesUsed()).toSorted();
  if (made.size === 0) return fingerprintOf(call, args, changes, bound, workspaces);
  return fingerprintOf(call, args, comparable(unit), workspaces);
}

/** Each change and each thing it is bound to, equal in all runs that do the same. */
export function comparable({ changes, bound, made }: Done): string[] {
  return [...changes, ...bound].map((each) => withoutIds(each, made));
}

/** As JSON, with the first thing that the run made as the first. No stored text has a NUL, so none looks like that. */
function withoutIds(value: unknown, made: Done["made"]): string {
  if (made.size === 0) return JSON.stringify(value);
  return JSON.stringify(value, (_, each: unknown) => {
    const place = typeof each === "string" ? made.get(each) : undefined;
    return place === undefined ? each : `\0${place}`;
  });
}

/** For a preview: ids of things that are gone again with it would lead nowhere. */
export function shownChanges({ changes, made }: Done): Change[] {
  return changes.map((change) => {
    const { id, ...nameless } = change;
    return id !== undefined && made.has(id) ? nameless : change;
  });
}
