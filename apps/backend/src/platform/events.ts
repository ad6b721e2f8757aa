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

export interface Events {
  NodeChangedEvent: NodeChangedEvent;
  RecordChangedEvent: RecordChangedEvent;
}
