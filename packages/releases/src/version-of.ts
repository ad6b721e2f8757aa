import { execFileSync } from "node:child_process";

const patience = 15_000;

/** The version that a binary reports. Undefined if it does not run here. */
export function versionOf(product: string, path: string): string | undefined {
  try {
    const said = execFileSync(path, ["--version"], {
      encoding: "utf8",
      timeout: patience,
      killSignal: "SIGKILL",
      stdio: ["ignore", "pipe", "ignore"],
    });
    const [name, version] = said.trimEnd().split(" ");
    return name === product ? version : undefined;
  } catch {
    return undefined;
  }
}
