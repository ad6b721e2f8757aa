import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/** Downloading the model or installing the server takes a minute or two, once per machine. */
export const embeddingModelMillis = 10 * 60_000;

/** Downloads it to `localModelFolder`, if it is missing. */
export async function bringLocalModel(): Promise<void> {
  await runTool("fetch-models.ts");
}

/** A real server with all-MiniLM-L6-v2: the one named by the environment, otherwise the local one (tools/llama.ts). */
export async function findLlamaServer(): Promise<string> {
  const { SVC_TEST_EMBEDDINGS_URL: named } = process.env;
  if (named) return named;
  const { url } = JSON.parse(await runTool("llama.ts", "up")) as { url: string };
  return url;
}

async function runTool(name: string, ...args: string[]): Promise<string> {
  const script = fileURLToPath(new URL(`../../../tools/${name}`, import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [script, ...args]);
  return stdout;
}
