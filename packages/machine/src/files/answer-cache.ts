import { mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isNumber, isShape, isText, parsedJson } from "@svc/protocol/shape";
import { sha256 } from "../sha256.ts";
import { homeFolder } from "./home-folder.ts";

interface Kept {
  key: string;
  /** In milliseconds since 1970. */
  from: number;
  until: number;
  value: unknown;
}

const longestSeconds = 86_400;
const mostBytes = 64 * 1_024;

/**
 * Answers for a short time, in a folder for its owner alone. A key has one of 256 places, and a new answer takes the
 * place of the old one: so it never grows beyond 16 MB, and nobody has to tidy up.
 */
export class AnswerCache<Value> {
  readonly #folder: string;
  readonly #isRight: (value: unknown) => value is Value;

  constructor(environment: NodeJS.ProcessEnv, isRight: (value: unknown) => value is Value) {
    const { XDG_CACHE_HOME } = environment;
    const caches = XDG_CACHE_HOME || join(homeFolder(environment), ".cache");
    this.#folder = join(caches, "svc", "answers");
    this.#isRight = isRight;
  }

  /** By everything that the answer depends on. Only a digest of it is stored. */
  async read(...key: readonly unknown[]): Promise<Value | undefined> {
    const digest = digestOf(key);
    const text = await readFile(this.#place(digest), "utf8").catch(() => "");
    const kept = parsedJson(text);
    if (!isKept(kept) || kept.key !== digest || !this.#isRight(kept.value)) return undefined;
    const now = Date.now();
    // A clock that was set back must not keep it alive.
    if (now < kept.from || now >= kept.until) return undefined;
    return (await this.#isPrivate()) ? kept.value : undefined;
  }

  async write(value: Value, seconds: number, ...key: readonly unknown[]): Promise<void> {
    const digest = digestOf(key);
    const from = Date.now();
    const until = from + Math.min(seconds, longestSeconds) * 1_000;
    const text = JSON.stringify({ key: digest, from, until, value });
    if (seconds <= 0 || text.length > mostBytes) return;
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    if (!(await this.#isPrivate())) return;
    const temporary = join(this.#folder, crypto.randomUUID());
    try {
      await writeFile(temporary, text, { flag: "wx", mode: 0o600 });
      await rename(temporary, this.#place(digest));
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  }

  #place(digest: string): string {
    return join(this.#folder, `${digest.slice(0, 2)}.json`);
  }

  async #isPrivate(): Promise<boolean> {
    return process.platform === "win32" || ((await stat(this.#folder)).mode & 0o077) === 0;
  }
}

const isKept = isShape<Kept>({ key: isText, from: isNumber, until: isNumber, value: () => true });

function digestOf(key: readonly unknown[]): string {
  return sha256(JSON.stringify(key));
}
