import { join } from "node:path";
import { Failure } from "@svc/machine/failure";
import { StateFile, stateFolder } from "@svc/machine/files/state-file";
import { withFileLock } from "@svc/machine/files/with-file-lock";
import { isExactly, isMapOf, isRecord, parsedJson } from "@svc/protocol/shape";
import { Keychain } from "./keychain.ts";
import { isLogin, type Login, loginKey, type Profile } from "./login.ts";

type Kept = { keptIn: "keychain" } | { keptIn: "file"; login: Login };

const isInKeychain = isExactly("keychain");
const isKept = (value: unknown): boolean =>
  isRecord(value) && (isInKeychain(value.keptIn) || (value.keptIn === "file" && isLogin(value.login)));
/** Keyed by the service's origin and the profile: a login for one service is never shown to another. */
const isAllKept = (value: unknown): value is Record<string, Kept> => isMapOf(isKept)(value);

const loginFile = (environment: NodeJS.ProcessEnv) =>
  new StateFile(environment, "credentials.json", isAllKept);

/** The origin that each named login is for. */
export async function profileOrigins(environment: NodeJS.ProcessEnv): Promise<Map<string, string>> {
  const keys = Object.keys((await loginFile(environment).read()) ?? {}).map((key) => key.split(" "));
  return new Map(keys.flatMap(([origin = "", name]) => (name === undefined ? [] : [[name, origin]])));
}

/** The login of one profile: in the keychain, otherwise in a file. Changing it requires a lock. */
export class LoginStore {
  readonly profile: string | undefined;
  readonly #key: string;
  readonly #file: StateFile<Record<string, Kept>>;
  readonly #keychain: Keychain;
  readonly #lockPath: string;
  readonly #signal: AbortSignal;

  constructor(
    profile: Profile,
    environment: NodeJS.ProcessEnv,
    signal: AbortSignal,
    keychain = new Keychain(),
  ) {
    this.profile = profile.name;
    this.#key = loginKey(profile);
    this.#file = loginFile(environment);
    this.#keychain = keychain;
    this.#lockPath = join(stateFolder(environment), "credentials.lock");
    this.#signal = signal;
  }

  async read(): Promise<Login | undefined> {
    const kept = (await this.#file.read())?.[this.#key];
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
      const { [this.#key]: kept, ...others } = (await this.#file.read()) ?? {};
      if (kept === undefined) return undefined;
      const login = kept.keptIn === "file" ? kept.login : await this.#fromKeychain();
      if (kept.keptIn === "keychain") await this.#keychain.remove(this.#key);
      await this.#file.write(others);
      return { login };
    });
  }

  async #write(login: Login): Promise<string> {
    const all = (await this.#file.read()) ?? {};
    const isTaken = await this.#keychain.takes(this.#key, JSON.stringify(login));
    const kept: Kept = isTaken ? { keptIn: "keychain" } : { keptIn: "file", login };
    await this.#file.write({ ...all, [this.#key]: kept });
    return isTaken ? "the keychain" : this.#file.path;
  }

  async #fromKeychain(): Promise<Login | undefined> {
    const text = await this.#keychain.get(this.#key);
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
