import {
  isLlamaServerInstalled,
  type RunningLlamaServer,
  runningLlamaServer,
  startLlamaServer,
  stopLlamaServer,
} from "./llama-server.ts";
import type { RootedServer } from "./rooted-server.ts";

export const localLlama: RootedServer<RunningLlamaServer> = {
  is: "local embeddings server",
  instead: "Set SVC_TEST_EMBEDDINGS_URL to one: a llama-server with all-MiniLM-L6-v2.",
  packages: ["llama.cpp-tools"],
  takes: "a minute",
  isEmptiedAtEnd: false,
  isInstalled: isLlamaServerInstalled,
  running: runningLlamaServer,
  start: startLlamaServer,
  stop: stopLlamaServer,
};
