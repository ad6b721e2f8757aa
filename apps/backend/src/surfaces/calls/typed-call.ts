import type { ParsedArgv } from "@svc/command-router/arguments/parse-argv";
import type { CommandContext } from "../../platform/commands/command-context.ts";
import type { CommandCall } from "../../platform/commands/run-command.ts";
import type { callHeaders } from "../http/request-context.ts";

type Parsed = Extract<ParsedArgv<CommandContext>, { kind: "call" }>;

/** The call that a line stands for. A workspace on the line comes first, then the header, then what `svc use` chose. */
export function typedCall(
  { command, arguments: args, words, dryRun, confirm, workspace }: Parsed,
  { ambientWorkspace, ...sent }: ReturnType<typeof callHeaders>,
  chosenWorkspace: string | undefined,
): CommandCall {
  return {
    command,
    arguments: args,
    words,
    dryRun,
    ...sent,
    confirm,
    workspace: workspace ?? ambientWorkspace ?? chosenWorkspace,
    namedWorkspace: workspace,
  };
}
