import { execFile, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { promisify } from "node:util";

interface RunOptions {
  environment?: Record<string, string>;
  cwd?: string;
  input?: string;
}

interface Printed {
  exitCode: number | null;
  signal: NodeJS.Signals | null;
  out: string;
  error: string;
}

/** The binary that people get, in a private folder and home; nothing of this machine's environment reaches it. */
export class CompiledSvc {
  readonly folder: string;
  readonly path: string;
  readonly home: string;

  private constructor(folder: string) {
    this.folder = folder;
    this.path = join(folder, "bin", "svc");
    this.home = join(folder, "home");
  }

  static async build(constants: Record<string, unknown> = {}): Promise<CompiledSvc> {
    const svc = new CompiledSvc(await mkdtemp(join(tmpdir(), "svc-compiled-")));
    const tool = join(import.meta.dirname, "../../../tools/build-cli.ts");
    const options = ["--output", svc.path, "--constants", JSON.stringify(constants)];
    await promisify(execFile)(process.execPath, [tool, ...options]);
    return svc;
  }

  async remove(): Promise<void> {
    // A client in a terminal that has just been closed may still be writing.
    await rm(this.folder, { recursive: true, force: true, maxRetries: 10 });
  }

  spawn(argv: readonly string[], { environment = {}, cwd = this.folder }: RunOptions = {}) {
    return spawn(this.path, argv, {
      cwd,
      env: { PATH: "/usr/bin:/bin", HOME: this.home, ...environment },
      stdio: ["pipe", "pipe", "pipe"],
    });
  }

  async run(argv: readonly string[], options: RunOptions = {}): Promise<Printed> {
    const child = this.spawn(argv, options);
    child.stdin.on("error", () => {});
    child.stdin.end(options.input ?? "");
    const ended = new Promise<[number | null, NodeJS.Signals | null]>((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (...how) => resolve(how));
    });
    const [out, error, [exitCode, signal]] = await Promise.all([
      buffer(child.stdout),
      buffer(child.stderr),
      ended,
    ]);
    return { exitCode, signal, out: out.toString(), error: error.toString() };
  }
}
