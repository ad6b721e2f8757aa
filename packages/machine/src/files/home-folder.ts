import { homedir } from "node:os";

/** What a shell writes for `~`. */
export function homeFolder(environment: NodeJS.ProcessEnv): string {
  return environment.HOME || homedir();
}
