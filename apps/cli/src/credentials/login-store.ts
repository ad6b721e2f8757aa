import { join } from "node:path";
import { Failure } from "@svc/machine/failure";
import { StateFile, stateFolder } from "@svc/machine/files/state-file";
import { withFileLock } from "@svc/machine/files/with-file-lock";
import { isExactly, isMapOf, isRecord, parsedJson } from "@svc/protocol/shape";
import { Keychain } from "./keychain.ts";
import { isLogin, type Login } from "./login.ts";

type Kept = { keptIn: "keychain" } | { keptIn: "file"; login: Login };

const isInKeychain = isExactly("keychain");
const isKept = (value: unknown): boolean =>
  isRecord(value) && (isInKeychain(value.keptIn) || (value.keptIn === "file" && isLogin(value.login)));
/** Keyed by the service's origin: a login for one service is never shown to another. */
const isAllKept = (value: unknown): value is Record<string, Kept> => isMapOf(isKept)(value);

/** The login for one service: in the keychain, otherwise in a file. Changing it requires a lock. */
export class LoginStore {
  readonly #origin: string;
  readonly #file: StateFile<Record<string, Kept>>;
  readonly #keychain: Keychain;
  readonly #lockPath: string;
  readonly #signal: AbortSignal;

  constructor(baseUrl: URL, environment: NodeJS.ProcessEnv, signal: AbortSignal, keychain = new Keychain()) {
    this.#origin = baseUrl.origin;
    this.#file = new StateFile(environment, "credentials.json", isAllKept);
    this.#keychain = keychain;
    this.#lockPath = join(stateFolder(environment), "credentials.lock");
    this.#signal = signal;
  }

  async read(): Promise<Login | undefined> {
    const kept = (await this.#file.read())?.[this.#origin];
    if (kept === undefined) return undefined;
    if (kept.keptIn === "file") return kept.login;
    const login = await this.#fromKeychain();
    if (login) return login;
    throw new Failure("disk", "The keychain no longer has the login that svc stored there.", {
      hint: "Log in again: svc login",
    });
  }

  /** Returns where it is stored. */
  keep(login: Login): Promise<string> {
    return this.#locked(() => this.#write(login));
  }

  /** Replaces the current login by what `work` makes of it; nobody else changes it meanwhile. */
  change(work: (login: Login | undefined) => Promise<Login>): Promise<Login> {
    return this.#locked(async () => {
      const before = await this.read();
      const after = await work(before);
      if (after !== before) await this.#write(after);
      return after;
    });
  }

  /** Undefined if there was none; without a login if the keychain had lost it. */
  forget(): Promise<{ login: Login | undefined } | undefined> {
    return this.#locked(async () => {
      const { [this.#origin]: kept, ...others } = (await this.#file.read()) ?? {};
      if (kept === undefined) return undefined;
      const login = kept.keptIn === "file" ? kept.login : await this.#fromKeychain();
      if (kept.keptIn === "keychain") await this.#keychain.remove(this.#origin);
      await this.#file.write(others);
      return { login };
    });
  }

  async #write(login: Login): Promise<string> {
    const all = (await this.#file.read()) ?? {};
    const isTaken = await this.#keychain.takes(this.#origin, JSON.stringify(login));
    const kept: Kept = isTaken ? { keptIn: "keychain" } : { keptIn: "file", login };
    await this.#file.write({ ...all, [this.#origin]: kept });
    return isTaken ? "the keychain" : this.#file.path;
  }

  async #fromKeychain(): Promise<Login | undefined> {
    const text = await this.#keychain.get(this.#origin);
    if (text === undefined) return undefined;
    const login = parsedJson(text);
    if (isLogin(login)) return login;
    throw new Failure("disk", "The keychain holds something other than the login that svc stored there.", {
      hint: "Log in again: svc login",
    });
  }

  #locked<Result>(work: () => Promise<Result>): Promise<Result> {
    return withFileLock(this.#lockPath, this.#signal, work);
  }
}
