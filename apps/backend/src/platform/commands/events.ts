/** A change in the file tree. If a folder is moved, trashed or restored, no events are sent for its descendants. */
export interface NodeChangedEvent {
  kind:
    | "CREATED"
    | "CONTENT_CHANGED"
    | "RENAMED"
    | "MOVED"
    | "TRASHED"
    | "RESTORED"
    | "PURGED"
    | "ACCESS_CHANGED";
  nodeId: string;
  nodeKind: "folder" | "file";
  workspaceId: string;
  contentVersion: number;
}

export interface RecordChangedEvent {
  kind: "CREATED" | "CHANGED" | "TRASHED" | "RESTORED";
  recordId: string;
  collectionId: string;
  workspaceId: string;
}

/** Its name, its fields, its access list, or whether it is in the trash. No events are sent for its records. */
export interface CollectionChangedEvent {
  kind: "CREATED" | "CHANGED" | "ACCESS_CHANGED";
  collectionId: string;
  workspaceId: string;
}

/** Its name, or whether it is in the trash. No events are sent for its contents. */
interface WorkspaceChangedEvent {
  kind: "CREATED" | "CHANGED";
  workspaceId: string;
}

/** Whether it is searched by meaning. */
interface SemanticSearchSwitchedEvent {
  workspaceId: string;
  isEnabled: boolean;
}

/** The answer of a command is stored for retries: listeners add what the caller's right to it depends on. */
interface AnswerStoredEvent {
  basis: Map<string, string>;
}

/** A stored answer is about to be replayed: listeners throw if that right is gone. */
interface AnswerRepeatedEvent {
  basis: ReadonlyMap<string, string>;
}

/** A person is asked to approve a command: listeners add the workspaces that it has looked into. */
interface ApprovalWantedEvent {
  workspaceIds: Set<string>;
}

export interface Events {
  ApprovalWantedEvent: ApprovalWantedEvent;
  AnswerStoredEvent: AnswerStoredEvent;
  AnswerRepeatedEvent: AnswerRepeatedEvent;
  CollectionChangedEvent: CollectionChangedEvent;
  WorkspaceChangedEvent: WorkspaceChangedEvent;
  NodeChangedEvent: NodeChangedEvent;
  RecordChangedEvent: RecordChangedEvent;
  SemanticSearchSwitchedEvent: SemanticSearchSwitchedEvent;
}
