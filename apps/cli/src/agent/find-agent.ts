import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { delimiter, dirname, isAbsolute, join } from "node:path";

const fileName = process.platform === "win32" ? "svc-agent.exe" : "svc-agent";

export interface FoundAgent {
  path: string;
  isExecutable: boolean;
}

/**
 * Next to svc itself, then on PATH; never in the current directory, which may be anybody's. An agent that cannot be run
 * ends the search: going on to another one would hide it.
 */
export function findAgent(
  environment: NodeJS.ProcessEnv,
  executable = process.execPath,
): FoundAgent | undefined {
  const searched = (environment.PATH ?? "").split(delimiter).filter((folder) => isAbsolute(folder));
  for (const folder of [dirname(realpathSync(executable)), ...searched]) {
    const path = join(folder, fileName);
    if (statSync(path, { throwIfNoEntry: false })?.isFile())
      return { path, isExecutable: isExecutable(path) };
  }
  return undefined;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
