import { execFile } from "node:child_process";
import type { CompanyWorld } from "./company-world.ts";

/** What it prints there, byte for byte, before a terminal breaks its lines. */
export async function typeAtTerminal(
  world: CompanyWorld,
  line: string,
  { columns = 80, environment = {} }: { columns?: number; environment?: Record<string, string> } = {},
): Promise<{ exitCode: number; printed: string }> {
  const run = `stty cols ${columns} rows 24; ${line}`;
  const settings = { TERM: "xterm-256color", LANG: "C.UTF-8", SHELL: "/bin/bash", ...environment };
  const options = { cwd: world.svc.folder, env: { ...world.environment, ...settings } };
  return new Promise((resolve, reject) => {
    execFile("script", ["--quiet", "--return", "--command", run, "/dev/null"], options, (error, out) => {
      const exitCode = error ? error.code : 0;
      if (typeof exitCode !== "number") return reject(error);
      resolve({ exitCode, printed: out.replaceAll("\r", "") });
    });
  });
}
