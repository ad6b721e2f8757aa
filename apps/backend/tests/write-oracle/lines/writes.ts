import { accessWrites } from "./access-writes.ts";
import { accountWrites } from "./account-writes.ts";
import type { Write } from "./attempt.ts";
import { batchWrites } from "./batch-writes.ts";
import { fileWrites } from "./file-writes.ts";
import { recordWrites } from "./record-writes.ts";
import { tenantWrites } from "./tenant-writes.ts";
import { undoWrites } from "./undo-writes.ts";
import { uploadWrites } from "./upload-writes.ts";
import { workspaceWrites } from "./workspace-writes.ts";

/** Every command that changes something. A test checks that none is missing. */
export const writes: Record<string, Write> = {
  ...fileWrites,
  ...uploadWrites,
  ...recordWrites,
  ...accessWrites,
  ...accountWrites,
  ...workspaceWrites,
  ...tenantWrites,
  ...undoWrites,
  ...batchWrites,
};
