import { ProblemError } from "@svc/protocol/problem";
import { enqueueAll } from "@svc/search/vectors/embedding-queue";
import { z } from "zod";
import type { CommandContext } from "../../platform/commands/command-context.ts";
import { haveRuns } from "./run-store.ts";
import { lockSetting, modelsOf, type Setting, saveSetting } from "./setting-store.ts";

const Stored = z.object({
  cron: z.string().nullable(),
  model: z.string().nullable(),
  nextModel: z.string().nullable(),
  previousModel: z.string().nullable(),
  previousUntil: z.iso.datetime().nullable(),
  version: z.int(),
});

export const SettingUndo = z.object({ left: Stored, before: Stored });
type SettingUndo = z.output<typeof SettingUndo>;

/** For callers that hold the current setting. Returns how many files wait for a new model. */
export async function changeSetting(
  context: CommandContext,
  before: Setting,
  after: Setting,
): Promise<number> {
  const left = { ...after, version: before.version + 1 };
  const files = await save(context, before, left);
  context.recordUndo({ left: stored(left), before: stored(before) });
  return files;
}

/** Restores the old setting, unless somebody has changed it since. */
export async function undoSetting(
  context: CommandContext,
  { left, before }: SettingUndo,
): Promise<SettingUndo> {
  const now = await lockSetting(context.transaction);
  if (decisions(now) !== decisions(left)) {
    throw new ProblemError("conflict", "The setting was changed after this operation.");
  }
  const { previousUntil } = before;
  const until = previousUntil === null ? null : new Date(previousUntil);
  await save(context, now, { ...before, previousUntil: until });
  return { left: before, before: left };
}

/** Without the previous model, which a run drops when its time is up. */
function decisions({ cron, model, nextModel, version }: z.output<typeof Stored> | Setting): string {
  return JSON.stringify([cron, model, nextModel, version]);
}

async function save(context: CommandContext, from: Setting, to: Setting): Promise<number> {
  await saveSetting(context.transaction, to);
  context.recordChange({
    action: "update",
    type: "setting",
    name: "embeddings",
    version: from.version,
    before: shown(from),
    after: shown(to),
  });
  const had = modelsOf(from);
  if (modelsOf(to).every((model) => had.includes(model))) return 0;
  await haveRuns(context.transaction);
  return enqueueAll(context.transaction);
}

function stored(setting: Setting): z.output<typeof Stored> {
  const { cron, model, nextModel, previousModel, previousUntil, version } = setting;
  return {
    cron,
    model,
    nextModel,
    previousModel,
    previousUntil: previousUntil?.toISOString() ?? null,
    version,
  };
}

function shown(setting: Setting): Omit<z.output<typeof Stored>, "version"> {
  const { version, ...rest } = stored(setting);
  return rest;
}
