import type { CommandContext } from "../../platform/commands/command-context.ts";
import { notAdministrator, requireAdministrator } from "../../platform/commands/require-administrator.ts";
import { holdActiveAdministrators } from "./administrators-store.ts";

/**
 * For commands that take the right away: one at a time, and not by a caller who lost it while waiting. Of two administrators
 * who remove each other at once, one remains.
 */
export async function holdAdministrators(context: CommandContext): Promise<readonly string[]> {
  requireAdministrator(context);
  const administrators = await holdActiveAdministrators(context.transaction);
  if (!administrators.includes(context.actor.id)) throw notAdministrator();
  return administrators;
}
