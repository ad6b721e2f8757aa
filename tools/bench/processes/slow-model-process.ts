import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { startServer } from "./server-process.ts";

/** Times in milliseconds since 1970. */
export interface ModelCall {
  startedAt: number;
  endedAt: number;
  texts: number;
}

export const slowModelEnvironment = { port: "SLOW_MODEL_PORT", latency: "SLOW_MODEL_LATENCY" } as const;

export interface SlowModel extends AsyncDisposable {
  /** As in `SVC_EMBEDDERS`. */
  embedder: object;
  /** From now on calls wait. */
  hold(): Promise<void>;
  /** Answers, once so many calls wait. */
  answerWhenWaiting(calls: number): Promise<void>;
  /** The calls that have ended since the last time. */
  takeCalls(): Promise<ModelCall[]>;
}

export async function startSlowModel(options: { folder: string; latencyMillis: number }): Promise<SlowModel> {
  const server = await startServer({
    script: fileURLToPath(new URL("slow-model-server.ts", import.meta.url)),
    log: join(options.folder, "model.log"),
    readyPath: "/",
    environment: (port) => ({
      NODE_ENV: "production",
      [slowModelEnvironment.port]: String(port),
      [slowModelEnvironment.latency]: String(options.latencyMillis),
    }),
  });
  const tell = async <T>(path: string) => (await (await fetch(`${server.url}${path}`)).json()) as T;
  return {
    embedder: { kind: "openai", url: server.url, model: "slow" },
    async hold() {
      await tell("/hold");
    },
    async answerWhenWaiting(calls) {
      while ((await tell<{ waiting: number }>("/")).waiting < calls) await sleep(20);
      await tell("/answer");
    },
    takeCalls: () => tell<ModelCall[]>("/calls"),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
