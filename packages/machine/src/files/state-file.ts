import { chmod, mkdir, open, readFile, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { parsedJson } from "@svc/protocol/shape";
import { Failure } from "../failure.ts";
import { homeFolder } from "./home-folder.ts";

/** Where svc stores its state: a folder for its owner alone. */
export function stateFolder(environment: NodeJS.ProcessEnv): string {
  return stateFolders(environment)[0] as string;
}

/** The current folder first, then those it would be with fewer variables set: they may hold an earlier login. */
export function stateFolders(environment: NodeJS.ProcessEnv): string[] {
  const { XDG_CONFIG_HOME, APPDATA } = environment;
  return [
    ...(XDG_CONFIG_HOME ? [join(XDG_CONFIG_HOME, "svc")] : []),
    ...(process.platform === "win32" && APPDATA ? [join(APPDATA, "svc")] : []),
    join(homeFolder(environment), ".config", "svc"),
  ];
}

/**
 * One JSON file in that folder. A file that exists and cannot be read is a failure, never treated as missing: a login
 * that looks lost is worse than an error that says why.
 */
export class StateFile<Value> {
  readonly path: string;
  readonly #folder: string;
  readonly #isRight: (value: unknown) => value is Value;

  constructor(environment: NodeJS.ProcessEnv, name: string, isRight: (value: unknown) => value is Value) {
    this.#folder = stateFolder(environment);
    this.path = join(this.#folder, name);
    this.#isRight = isRight;
  }

  async read(): Promise<Value | undefined> {
    let text: string;
    try {
      text = await readFile(this.path, "utf8");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
      throw this.#unreadable(`${(error as NodeJS.ErrnoException).code}`, error);
    }
    await this.#refuseOthers();
    const value = parsedJson(text);
    if (this.#isRight(value)) return value;
    throw this.#unreadable("it does not contain what svc wrote");
  }

  /** Atomic: others see the old content or the new, even after a power cut. */
  async write(value: Value): Promise<void> {
    const temporary = `${this.path}.${crypto.randomUUID()}`;
    try {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 });
      await chmod(this.#folder, 0o700);
      const file = await open(temporary, "wx", 0o600);
      try {
        await file.writeFile(`${JSON.stringify(value, null, 2)}\n`);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(temporary, this.path);
    } catch (error) {
      await rm(temporary, { force: true }).catch(() => {});
      const { code } = error as NodeJS.ErrnoException;
      throw new Failure("disk", `${this.path} cannot be written: ${code}.`, { cause: error });
    }
  }

  async #refuseOthers(): Promise<void> {
    if (process.platform === "win32") return;
    for (const path of [this.#folder, this.path]) {
      const { mode } = await stat(path);
      if ((mode & 0o077) === 0) continue;
      throw new Failure("disk", `Others can read ${path}, so svc does not use it.`, {
        hint: `Take it from them: chmod ${path === this.path ? "600" : "700"} '${path}'`,
      });
    }
  }

  #unreadable(why: string, cause?: unknown): Failure {
    return new Failure("disk", `${this.path} cannot be read: ${why}.`, {
      hint: "Repair it, or remove it and start over.",
      cause,
    });
  }
}
