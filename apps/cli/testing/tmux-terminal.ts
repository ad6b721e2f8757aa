import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";

const run = promisify(execFile);
const frameMillis = 100;

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

  async waitFor(wanted: RegExp, millis = 60_000): Promise<string> {
    const end = performance.now() + millis;
    for (;;) {
      const screen = await this.screen();
      if (wanted.test(screen)) return screen;
      if (performance.now() > end) throw new Error(`${wanted} did not come up on the screen:\n${screen}`);
      await sleep(50);
    }
  }

  /** Until the screen has stopped changing: the shell has taken what a program said, and no key is lost. */
  async settle(): Promise<void> {
    let before = "";
    for (let same = 0; same < 6; ) {
      await sleep(80);
      const screen = await this.screen();
      same = screen === before ? same + 1 : 0;
      before = screen;
    }
  }

  /** Runs a line to its end, and returns what a person sees: ten screens a second. */
  async film(
    line: string,
    end: string,
    onFrame: (screen: string) => Promise<void> | void,
  ): Promise<string[]> {
    await this.type(`clear; ${line}; echo ${end} $?`);
    const screens: string[] = [];
    for (;;) {
      const began = performance.now();
      const screen = await this.screen();
      screens.push(screen);
      if (screen.includes(`\n${end} `)) return screens;
      await onFrame(screen);
      await sleep(Math.max(0, frameMillis - (performance.now() - began)));
    }
  }

  #tmux(...words: string[]) {
    return run("tmux", ["-L", this.#socket, ...words], { env: { PATH: "/usr/bin:/bin", LANG: "C.UTF-8" } });
  }
}
