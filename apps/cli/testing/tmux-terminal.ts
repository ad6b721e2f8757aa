import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";

const run = promisify(execFile);

/** A real terminal with a shell, of any size. */
export class TmuxTerminal {
  readonly #socket = `svc-${randomUUID()}`;

  private constructor() {}

  static async open(options: {
    columns?: number;
    rows?: number;
    cwd: string;
    environment: Record<string, string>;
    shell?: string;
  }): Promise<TmuxTerminal> {
    const { columns = 100, rows = 30, cwd, environment, shell = "bash --norc --noprofile" } = options;
    const terminal = new TmuxTerminal();
    const variables = Object.entries({ PS1: "$ ", ...environment }).map(
      ([name, value]) => `${name}=${value}`,
    );
    const size = ["-x", String(columns), "-y", String(rows)];
    const command = ["env", "-i", "TERM=xterm-256color", "LANG=C.UTF-8", ...variables, ...shell.split(" ")];
    await terminal.#tmux("-u", "-f", "/dev/null", "new-session", "-d", ...size, "-c", cwd, ...command);
    // As in terminals that let a program copy.
    await terminal.#tmux("set-option", "-s", "set-clipboard", "on");
    return terminal;
  }

  async close(): Promise<void> {
    await this.#tmux("kill-server").catch(() => {});
  }

  /** As a person does, with the return key at the end. */
  async type(text: string): Promise<void> {
    await this.press("-l", text);
    await this.press("Enter");
  }

  async press(...keys: string[]): Promise<void> {
    await this.#tmux("send-keys", ...keys);
  }

  async screen(): Promise<string> {
    const { stdout } = await this.#tmux("capture-pane", "-p");
    return stdout.trimEnd();
  }

  /** With the attributes of its cells, as escape sequences. */
  async colouredScreen(): Promise<string> {
    const { stdout } = await this.#tmux("capture-pane", "-e", "-p");
    return `${stdout.trimEnd()}\n`;
  }

  /** From now on, every byte that is printed goes to a file too. */
  async record(file: string): Promise<void> {
    await this.#tmux("pipe-pane", `cat > '${file}'`);
  }

  /** What a program in it has copied. */
  async clipboard(): Promise<string> {
    return (await this.#tmux("show-buffer")).stdout;
  }

  async waitFor(wanted: RegExp, millis = 10_000): Promise<string> {
    const end = performance.now() + millis;
    for (;;) {
      const screen = await this.screen();
      if (wanted.test(screen)) return screen;
      if (performance.now() > end) throw new Error(`${wanted} did not come up on the screen:\n${screen}`);
      await sleep(50);
    }
  }

  #tmux(...words: string[]) {
    return run("tmux", ["-L", this.#socket, ...words], { env: { PATH: "/usr/bin:/bin", LANG: "C.UTF-8" } });
  }
}
