import { ProblemError } from "@svc/protocol/problem";
import { enqueueAll } from "@svc/search/embedding-queue";
import { z } from "zod";
import type { CommandContext } from "../../platform/command-context.ts";
import { haveRuns } from "./run-store.ts";
import { lockSetting, modelsOf, type Setting, saveSetting } from "./setting-store.ts";

const Stored = z.object({
  cron: z.string().nullable(),
  model: z.string().nullable(),
  nextModel: z.string().nullable(),
  previousModel: z.string().nullable(),
  previousUntil: z.iso.datetime().nullable(),
});

export const SettingUndo = z.object({ before: Stored, version: z.int() });

/** For who holds the setting as it was. How many files wait for a model that it did not have. */
export async function changeSetting(
  context: CommandContext,
  before: Setting,
  after: Setting,
): Promise<number> {
  const version = before.version + 1;
  const files = await save(context, before, { ...after, version });
  context.recordUndo({ before: stored(before), version });
  return files;
}

/** To what it was, unless somebody has changed it since. */
export async function undoSetting(
  context: CommandContext,
  { before, version }: z.output<typeof SettingUndo>,
): Promise<void> {
  const now = await lockSetting(context.transaction);
  if (now.version !== version) throw new ProblemError("conflict", "The setting was changed meanwhile.");
  const { previousUntil, ...rest } = before;
  const then = { ...rest, previousUntil: previousUntil === null ? null : new Date(previousUntil) };
  await save(context, now, { ...then, version: version - 1 });
}

async function save(context: CommandContext, from: Setting, to: Setting): Promise<number> {
  await saveSetting(context.transaction, to);
  context.recordChange({
    action: "update",
    type: "setting",
    name: "embeddings",
    version: from.version,
    before: stored(from),
    after: stored(to),
  });
  const had = modelsOf(from);
  if (modelsOf(to).every((model) => had.includes(model))) return 0;
  await haveRuns(context.transaction);
  return enqueueAll(context.transaction);
}

function stored({ cron, model, nextModel, previousModel, previousUntil }: Setting): z.output<typeof Stored> {
  return { cron, model, nextModel, previousModel, previousUntil: previousUntil?.toISOString() ?? null };
}
