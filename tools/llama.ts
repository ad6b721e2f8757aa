import { startLocalLlama, stopLocalLlama } from "./local-server/local-llama.ts";

/** `up` prints where the server is as one line of JSON. */
const commands: Record<string, () => Promise<string>> = {
  up: async () => JSON.stringify(await startLocalLlama()),
  down: stopLocalLlama,
};

const command = commands[process.argv[2] ?? ""];
if (!command) {
  console.error("usage: node tools/llama.ts up | down");
  process.exit(2);
}
try {
  console.log(await command());
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
