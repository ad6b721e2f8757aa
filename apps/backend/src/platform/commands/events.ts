/** A change in the file tree. Below a folder that was moved, trashed or restored, nodes change with it untold. */
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

/** Its name, its fields, its list, or whether it is in the trash. Its records change with it untold. */
export interface CollectionChangedEvent {
  kind: "CREATED" | "CHANGED" | "ACCESS_CHANGED";
  collectionId: string;
  workspaceId: string;
}

/** Its name, or whether it is in the trash. All that is in it changes with it untold. */
interface WorkspaceChangedEvent {
  kind: "CREATED" | "CHANGED";
  workspaceId: string;
}

/** Whether it is searched by meaning. */
interface SemanticSearchSwitchedEvent {
  workspaceId: string;
  isEnabled: boolean;
}

/** The answer of a command is stored for repetitions: listeners add what the caller's right to it rests on. */
interface AnswerStoredEvent {
  basis: Map<string, string>;
}

/** A stored answer is about to be repeated: listeners throw if that right is gone. */
interface AnswerRepeatedEvent {
  basis: ReadonlyMap<string, string>;
}

export interface Events {
  AnswerStoredEvent: AnswerStoredEvent;
  AnswerRepeatedEvent: AnswerRepeatedEvent;
  CollectionChangedEvent: CollectionChangedEvent;
  WorkspaceChangedEvent: WorkspaceChangedEvent;
  NodeChangedEvent: NodeChangedEvent;
  RecordChangedEvent: RecordChangedEvent;
  SemanticSearchSwitchedEvent: SemanticSearchSwitchedEvent;
}
