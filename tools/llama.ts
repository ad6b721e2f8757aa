import { localLlama } from "./local-server/local-llama.ts";
import { startRooted, stopRooted } from "./local-server/rooted-server.ts";
import { runServerTool } from "./local-server/run-server-tool.ts";

/** `up` prints where the server is as one line of JSON. */
await runServerTool("llama", {
  up: async () => JSON.stringify(await startRooted(localLlama)),
  down: () => stopRooted(localLlama),
});
