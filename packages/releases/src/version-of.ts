import { execFileSync } from "node:child_process";

const patience = 15_000;

/** What a binary says of itself. Undefined where it does not run here. */
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
