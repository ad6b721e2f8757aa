import { wantSooner } from "@svc/search/vectors/embedding-queue";
import type { CommandContext } from "../../platform/commands/command-context.ts";
import { TenantBatcher } from "../../platform/jobs/tenant-batcher.ts";

const wanted = new TenantBatcher<string>(wantSooner);

/** Somebody opened a file or missed it in a search: if it awaits embedding, it goes ahead of files that nobody looks at. */
export function wantFile(context: CommandContext, nodeId: string): void {
  wanted.add(context, nodeId);
}
