import { spawn } from "node:child_process";
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import { debianRootFolder, environmentInside, runsInDebianRoot } from "./debian-root.ts";
import { freePort } from "./free-port.ts";

/** A real OpenAI-compatible embeddings endpoint: all-MiniLM-L6-v2, 384 dimensions, 512 tokens. */
export interface RunningLlamaServer {
  pid: number;
  url: string;
}

/** Relative to the Debian root. */
const PROGRAM = "usr/bin/llama-server";
const FOLDER = "var/lib/svc-llama";
const MODEL = `${FOLDER}/model.gguf`;
const STATE = `${FOLDER}/running.json`;
const LOG = "var/log/svc-llama.log";
const START_SECONDS = 120;

export function isLlamaServerInstalled(): boolean {
  return existsSync(join(debianRootFolder(), PROGRAM));
}

export function runningLlamaServer(): RunningLlamaServer | undefined {
  const state = join(debianRootFolder(), STATE);
  if (!existsSync(state)) return undefined;
  const server = JSON.parse(readFileSync(state, "utf8")) as RunningLlamaServer;
  return isLlamaServer(server.pid) ? server : undefined;
}

export async function startLlamaServer(): Promise<RunningLlamaServer> {
  const root = debianRootFolder();
  mkdirSync(join(root, FOLDER), { recursive: true });
  copyFileSync(findModel(), join(root, MODEL));
  const port = await freePort();
  const pid = spawnLlamaServer(root, port);
  const url = `http://127.0.0.1:${port}`;
  await untilItIsReady(url, pid);
  const server = { pid, url };
  writeFileSync(join(root, STATE), JSON.stringify(server));
  return server;
}

export async function stopLlamaServer({ pid }: RunningLlamaServer): Promise<void> {
  process.kill(pid, "SIGTERM");
  for (let waited = 0; isLlamaServer(pid); waited += 100) {
    if (waited === 5_000) process.kill(pid, "SIGKILL");
    await setTimeout(100);
  }
  rmSync(join(debianRootFolder(), FOLDER), { recursive: true, force: true });
}

/** Too large for the repository: kept in a folder beside the checkouts. */
function findModel(): string {
  const beside = resolve(import.meta.dirname, "../../../shared/models/minilm-f16.gguf");
  const model = process.env.SVC_LLAMA_MODEL || beside;
  if (existsSync(model)) return model;
  throw new Error(
    `There is no ${model}. Set SVC_LLAMA_MODEL to an all-MiniLM-L6-v2 in GGUF format, or ` +
      "SVC_TEST_EMBEDDINGS_URL to a server that has it.",
  );
}

/** Detached, so that it outlives the process that started it. */
function spawnLlamaServer(root: string, port: number): number {
  const log = openSync(join(root, LOG), "w");
  const place = ["--host", "127.0.0.1", "--port", String(port)];
  // One core and one request at a time: it runs beside everything else on a developer's machine.
  const size = ["--threads", "1", "--parallel", "1", "--ctx-size", "512", "--ubatch-size", "512"];
  const server = spawn(
    "chroot",
    [root, `/${PROGRAM}`, "--model", `/${MODEL}`, "--embedding", ...place, ...size],
    {
      stdio: ["ignore", log, log],
      env: environmentInside(),
      detached: true,
    },
  );
  closeSync(log);
  server.unref();
  if (server.pid === undefined) throw new Error("chroot(1) did not run");
  return server.pid;
}

async function untilItIsReady(url: string, pid: number): Promise<void> {
  const deadline = Date.now() + START_SECONDS * 1_000;
  // It answers 503 while it loads its model.
  while (!(await fetch(`${url}/health`).catch(() => undefined))?.ok) {
    if (Date.now() > deadline || !existsSync(`/proc/${pid}`)) {
      throw new Error(`llama-server did not start; see ${join(debianRootFolder(), LOG)}`);
    }
    await setTimeout(50);
  }
}

function isLlamaServer(pid: number): boolean {
  return runsInDebianRoot(String(pid)) && readFileSync(`/proc/${pid}/comm`, "utf8").trim() === "llama-server";
}
