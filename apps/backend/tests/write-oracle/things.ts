/** The contents of a tenant, as the model knows them. */
export type Role = "viewer" | "editor" | "owner";

export interface Person {
  name: string;
  id: string;
  /** Service accounts have none. */
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

/** Anything that can have an access list. */
export interface Listed {
  id: string;
  name: string;
  workspace: Workspace;
  above: Listed | undefined;
  inherits: boolean;
  /** By the name of a person or group, or `everyone`. */
  entries: Map<string, Role>;
  isTrashed: boolean;
  /** Changes with each change of the thing itself: undo needs it as its operation left it. */
  stamp: object;
}

export interface Workspace extends Listed {
  kind: "workspace";
  slug: string;
  isSemantic: boolean;
  /** Everything in it at any level, including the trash. */
  nodes: Node[];
  collections: Collection[];
}

export interface Node extends Listed {
  kind: "folder" | "file";
  above: Workspace | Node;
  /** For a file: its contents, the current one last. */
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
  /** People whose queries are not kept; `everyone` for the tenant. */
  withoutLog: Set<string>;
  /** What is being reindexed: `tenant`, or the id of a workspace or folder. */
  reindexed: Set<string>;
  /** Each changes with the thing it belongs to. */
  budgetStamp: object;
  embeddingStamp: object;
  /** Who can create workspaces besides administrators. */
  creators: "members" | "administrators" | "everyone";
  creatorsStamp: object;
}
