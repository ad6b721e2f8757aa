/** What a tenant has, as the model knows it. */
export type Role = "viewer" | "editor" | "owner";

export interface Person {
  name: string;
  id: string;
  /** Accounts of programs have none. */
  address?: string;
  token: string;
  kind: "user" | "service" | "ai";
  isAdministrator: boolean;
  isDisabled: boolean;
  scopes: readonly string[];
}

export interface Group {
  kind: "group";
  id: string;
  name: string;
  /** Names of people and groups. */
  members: Set<string>;
  isDeleted: boolean;
}

/** Anything that an access list can be about. */
export interface Listed {
  id: string;
  name: string;
  workspace: Workspace;
  above: Listed | undefined;
  inherits: boolean;
  /** By the name of a person or group, or `everyone`. */
  entries: Map<string, Role>;
  isTrashed: boolean;
  /** Changes with each change of the thing itself: undo wants it as its operation left it. */
  stamp: object;
}

export interface Workspace extends Listed {
  kind: "workspace";
  slug: string;
  isSemantic: boolean;
  /** What is in it, at the top and below, in the trash too. */
  nodes: Node[];
  collections: Collection[];
}

export interface Node extends Listed {
  kind: "folder" | "file";
  above: Workspace | Node;
  /** Of a file: its contents, the present one last. */
  versions: string[];
}

export interface Collection extends Listed {
  kind: "collection";
  slug: string;
  fields: { key: object; name: string }[];
  records: Row[];
}

/** A record. */
export interface Row {
  kind: "record";
  id: string;
  collection: Collection;
  values: Map<object, string>;
  isTrashed: boolean;
  stamp: object;
}

export interface Token {
  kind: "token";
  id: string;
  name: string;
  /** The account that the token is for. */
  isAdministrator: boolean;
  isRevoked: boolean;
  isRotated: boolean;
}

export interface Settings {
  limit: string | undefined;
  cron: string | undefined;
  model: string | undefined;
  nextModel: string | undefined;
  previousModel: string | undefined;
  isRunning: boolean;
  /** Who keeps no queries; `everyone` for the tenant. */
  withoutLog: Set<string>;
  /** What is indexed again: `tenant`, or the id of a workspace or folder. */
  reindexed: Set<string>;
  /** Each changes with what it is the stamp of. */
  budgetStamp: object;
  embeddingStamp: object;
  /** Who may create workspaces, beside administrators. */
  creators: "members" | "administrators" | "everyone";
  creatorsStamp: object;
}
