import { commandDefiner } from "@svc/command-router/command";
import type { CommandContext } from "./command-context.ts";

export const defineCommand = commandDefiner<CommandContext>();
