import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface ScratchFolder extends AsyncDisposable {
  path: string;
}

export async function createScratchFolder(): Promise<ScratchFolder> {
  const path = await mkdtemp(join(tmpdir(), "svc-bench-"));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}
