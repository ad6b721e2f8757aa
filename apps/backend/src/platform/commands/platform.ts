import type { Catalog } from "@svc/command-router/catalog";
import type { Shown } from "@svc/command-router/dispatch";
import type { Database } from "@svc/database/database";
import type { ProgressAnswer } from "@svc/protocol/exchange";
import type { RefusalLog } from "../audit/refusal-log.ts";
import type { BlobStore } from "../blobs/blob-store.ts";
import type { Caller } from "../identity/caller.ts";
import type { DeferredWrites } from "../jobs/deferred-writes.ts";
import type { Log } from "../process/log.ts";
import type { Search } from "../search/search.ts";
import type { StagedFile } from "../uploads/staged-file.ts";
import type { AccessSubjects } from "./access-subjects.ts";
import type { CommandContext } from "./command-context.ts";
import type { Listeners } from "./listeners.ts";

/** What a process has ready for every command that it runs. */
export interface Platform {
  database: Database;
  catalog: Catalog<CommandContext>;
  blobStore: BlobStore;
  listeners: Listeners;
  accessSubjects: AccessSubjects;
  search: Search;
  /** Without it, deferred writes are not done. */
  deferredWrites?: DeferredWrites;
  /** Without it, every refusal has its own audit entry. */
  refusals?: RefusalLog;
}

/** What the latest attempt left for the answer. */
export interface Told {
  shown?: Shown | undefined;
  /** Some in this tenant; who can decide them is another question. */
  approvalsWait?: boolean;
}

/** What a surface knows about one request, besides the call itself. */
export interface RequestContext {
  caller: Caller;
  requestId: string;
  /** What the caller calls the request, beside what we call it. */
  callerRequestId?: string | undefined;
  log: Log;
  signal: AbortSignal;
  /** Of its transaction, if it may take longer than usual. */
  limitMillis?: number | undefined;
  uploads?: ReadonlyMap<string, StagedFile> | undefined;
  progress?: ((progress: Omit<ProgressAnswer, "kind">) => void) | undefined;
  /** Somebody reads the answer as text. */
  isForPeople?: boolean | undefined;
  /** Filled while the command runs. */
  told?: Told | undefined;
  /** Where they are: a name that exists. */
  timeZone?: string | undefined;
}
