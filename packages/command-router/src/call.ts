import type { Command } from "./catalog.ts";
import type { Runner } from "./require-may-run.ts";

/** One call of one command, from whichever surface. */
export interface Call<Context> extends Runner {
  command: Command<Context>;
  arguments: unknown;
  dryRun: boolean;
  confirm?: string | undefined;
  workspace?: string | undefined;
  idempotencyKey?: string | undefined;
  /** Its files are gone, so it cannot run: it can only get the answer stored under its idempotency key. */
  onlyRepeat?: boolean | undefined;
}
