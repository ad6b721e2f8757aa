import {
  debianRootFolder,
  debianRootLock,
  installPackages,
  reasonAgainstDebianRoot,
  updatePackageLists,
} from "./debian-root.ts";
import { withExclusiveLock } from "./exclusive-lock.ts";
import { installPostgres } from "./install-postgres.ts";
import {
  isLlamaServerInstalled,
  type RunningLlamaServer,
  runningLlamaServer,
  startLlamaServer,
  stopLlamaServer,
} from "./llama-server.ts";
import { isPostgresInstalled } from "./postgres-cluster.ts";

/** Installs it where it is not there yet; the one that runs already where one does. */
export async function startLocalLlama(): Promise<RunningLlamaServer> {
  const running = runningLlamaServer();
  if (running) return running;
  const obstacle = reasonAgainstDebianRoot();
  if (obstacle) {
    throw new Error(
      `No local embeddings server can be made here: ${obstacle}. Name one with SVC_TEST_EMBEDDINGS_URL: ` +
        "a llama-server with all-MiniLM-L6-v2.",
    );
  }
  return await withExclusiveLock(debianRootLock(), async (lock) => {
    if (!isPostgresInstalled()) installPostgres(lock);
    if (!isLlamaServerInstalled()) {
      console.error(`installing llama.cpp-tools in ${debianRootFolder()}, a minute, once`);
      updatePackageLists(debianRootFolder(), lock);
      installPackages(debianRootFolder(), lock, ["llama.cpp-tools"]);
    }
    return runningLlamaServer() ?? (await startLlamaServer());
  });
}

/** Returns what happened. */
export async function stopLocalLlama(): Promise<string> {
  if (!runningLlamaServer()) return "nothing to stop: the local embeddings server does not run";
  return await withExclusiveLock(debianRootLock(), async () => {
    const running = runningLlamaServer();
    if (running) await stopLlamaServer(running);
    return "stopped the local embeddings server";
  });
}
