export type SharedKind = "workspace" | "folder" | "file" | "collection";

/** Something that can have its own access list. */
export interface SharedThing {
  kind: SharedKind;
  id: string;
  /** As people are told of it: a path, or the name of a workspace or collection. */
  name: string;
  /** As people type it in the call's workspace. */
  typed: string;
  workspaceId: string;
  workspaceName: string;
  /** The access list that it follows now: its own, or the nearest above. */
  scopeId: string;
}

/** Everything that can be shared, through the features that own it, as a caller's context sees it. */
export interface SharedThings<Context> {
  /** What the caller named and may see. `reshape` is for callers who change its list: alone in the workspace. */
  locate(context: Context, target: string, lock?: "reshape"): Promise<SharedThing>;
  /** It, and everything below it that follows the same list, follows another one from now on. */
  follow(context: Context, thing: SharedThing, scopeId: string): Promise<void>;
  /** Names of what it lies in, by id: their lists may count for it too. */
  namesAbove(context: Context, thing: SharedThing): Promise<ReadonlyMap<string, string>>;
}
