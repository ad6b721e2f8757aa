import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

/** The service with the tools that the scenarios call, and a file to read. */
export interface FixtureService extends AsyncDisposable {
  url: string;
  token: string;
  /** Typed ids by the address that the scenarios read. */
  resources: Record<string, string>;
}

export async function startFixtureService(): Promise<FixtureService> {
  const child = spawn(process.execPath, ["apps/backend/testing/conformance/conformance-server.ts"], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  const lines = createInterface({ input: child.stdout });
  const said = await Promise.race([once(lines, "line"), ended.then(() => undefined)]);
  if (!said) throw new Error("the service ended at once");
  const service = JSON.parse(String(said[0])) as Omit<FixtureService, keyof AsyncDisposable>;
  return {
    ...service,
    async [Symbol.asyncDispose]() {
      child.stdin.end();
      await ended;
    },
  };
}
