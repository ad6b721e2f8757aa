import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { createScratchFolder } from "../../bench/scratch-folder.ts";
import type { FixtureService } from "./fixture-service.ts";

const inspector = "node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js";

/** Runs the inspector as on a command line. Its answer is undefined if it is not JSON. */
export async function inspect(
  { url, token }: FixtureService,
  era: "modern" | "legacy",
  ...given: string[]
): Promise<{ exitCode: number; answer: Record<string, unknown> | undefined }> {
  // It keeps files at home.
  await using home = await createScratchFolder();
  const server = [`${url}/mcp`, "--transport", "http", "--protocol-era", era];
  const child = spawn(
    process.execPath,
    [inspector, "--cli", ...server, "--header", `Authorization: Bearer ${token}`, ...given],
    { stdio: ["ignore", "pipe", "ignore"], env: { ...process.env, HOME: home.path } },
  );
  const [said, [exitCode]] = await Promise.all([text(child.stdout), once(child, "exit")]);
  return { exitCode, answer: parsed(said) };
}

function parsed(said: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(said) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}
