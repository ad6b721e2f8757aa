import { type ChildProcess, execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";

const daemon = "/usr/bin/gnome-keyring-daemon";
const bus = "/usr/bin/dbus-daemon";

/** A real GNOME keyring, unlocked, on a private session bus. */
export class TestKeyring {
  /** What svc has to know to find it. */
  readonly environment: Record<string, string>;
  readonly #folder: string;
  readonly #children: ChildProcess[];

  static get isInstalled(): boolean {
    return existsSync(daemon) && existsSync(bus);
  }

  private constructor(folder: string, address: string, children: ChildProcess[]) {
    this.#folder = folder;
    this.#children = children;
    this.environment = { DBUS_SESSION_BUS_ADDRESS: address };
  }

  static async start(): Promise<TestKeyring> {
    const folder = await mkdtemp(join(tmpdir(), "svc-keyring-"));
    const env = { PATH: "/usr/bin:/bin", HOME: folder, XDG_RUNTIME_DIR: folder };
    const session = spawn(bus, ["--session", "--nofork", "--print-address=1"], { env, stdio: "pipe" });
    const address = await firstLine(session);
    const withBus = { ...env, DBUS_SESSION_BUS_ADDRESS: address };
    const keyring = spawn(daemon, ["--unlock", "--foreground", "--components=secrets"], {
      env: withBus,
      stdio: ["pipe", "ignore", "ignore"],
    });
    keyring.stdin.end("a password");
    const started = new TestKeyring(folder, address, [keyring, session]);
    for (const late = performance.now() + 60_000; !(await isOnBus(withBus)); await sleep(20)) {
      if (performance.now() < late) continue;
      await started.close();
      throw new Error("the keyring does not start");
    }
    return started;
  }

  /** It exists and does not answer, as if somebody had to type a password first. */
  freeze(): void {
    this.#children[0]?.kill("SIGSTOP");
  }

  thaw(): void {
    this.#children[0]?.kill("SIGCONT");
  }

  async close(): Promise<void> {
    for (const child of this.#children) child.kill("SIGKILL");
    await rm(this.#folder, { recursive: true, force: true });
  }
}

async function isOnBus(env: NodeJS.ProcessEnv): Promise<boolean> {
  const question = ["--dest=org.freedesktop.DBus", "/", "org.freedesktop.DBus.NameHasOwner"];
  const words = ["--session", "--print-reply", ...question, "string:org.freedesktop.secrets"];
  const { stdout } = await promisify(execFile)("/usr/bin/dbus-send", words, { env });
  return stdout.includes("true");
}

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`${child.spawnfile} ended with ${code}`)));
    child.stdout?.once("data", (chunk: Buffer) => resolve(chunk.toString().split("\n")[0] ?? ""));
  });
}
