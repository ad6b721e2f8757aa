import { shellWord } from "@svc/protocol/shell-word";
import { mayRun } from "../permission.ts";
import type { Write } from "./attempt.ts";
import { workspaceWrites } from "./workspace-writes.ts";

const held = "workspaces rename";

export const batchWrites: Record<string, Write> = {
  /** As the line that it holds, with the scopes of both. */
  "batch run": (scene) => {
    const line = workspaceWrites[held]?.(scene);
    if (!line) return undefined;
    return {
      ...line,
      words: ["batch", "run", line.words.map(shellWord).join(" ")],
      refusal: mayRun(scene.who, held) ?? line.refusal,
      apply: () => {
        const undoing = line.apply();
        if (!undoing) return undefined;
        return { ...undoing, refusal: (who, own) => mayRun(who, held) ?? undoing.refusal(who, own) };
      },
    };
  },
};
