import { wantSooner } from "@svc/search/vectors/embedding-queue";
import type { CommandContext } from "../../platform/commands/command-context.ts";
import { Together } from "../../platform/commands/together.ts";

const wanted = new Together<string>(wantSooner);

/** Somebody opens it, or misses it in a search: where it awaits embedding, it comes before what nobody looks at. */
export function wantFile(context: CommandContext, nodeId: string): void {
  wanted.add(context, nodeId);
}
