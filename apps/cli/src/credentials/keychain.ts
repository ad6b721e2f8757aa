import { Failure } from "@svc/machine/failure";
import { within } from "@svc/machine/files/within";

/** Through Bun: Keychain on macOS, the Secret Service on Linux, Credential Manager on Windows. */
interface Secrets {
  get(entry: { service: string; name: string }): Promise<string | null>;
  set(entry: { service: string; name: string; value: string }): Promise<void>;
  delete(entry: { service: string; name: string }): Promise<boolean>;
}

const service = "svc";
/** When choosing: a keychain that has to ask somebody first counts as missing; `login` does not wait for it. */
const choiceMillis = 2_000;
/** Once chosen: long enough for a person to unlock it. */
const unlockMillis = 20_000;

/** The operating system's store for secrets. If it does not answer, nobody has to wait. */
export class Keychain {
  readonly #secrets: Secrets | undefined;

  constructor(secrets = (globalThis as { Bun?: { secrets?: Secrets } }).Bun?.secrets) {
    this.#secrets = secrets;
  }

  /** False if no keychain accepts it. */
  async takes(name: string, value: string): Promise<boolean> {
    if (!this.#secrets) return false;
    return answerWithin(choiceMillis, this.#secrets.set({ service, name, value })).then(
      () => true,
      () => false,
    );
  }

  /** Undefined if it has no entry of that name. */
  async get(name: string): Promise<string | undefined> {
    if (!this.#secrets) throw unusable("this build of svc cannot reach it");
    try {
      return (await answerWithin(unlockMillis, this.#secrets.get({ service, name }))) ?? undefined;
    } catch (error) {
      throw unusable((error as Error).message, error);
    }
  }

  async remove(name: string): Promise<void> {
    if (!this.#secrets) return;
    try {
      await answerWithin(unlockMillis, this.#secrets.delete({ service, name }));
    } catch (error) {
      throw unusable((error as Error).message, error);
    }
  }
}

function unusable(why: string, cause?: unknown): Failure {
  return new Failure("disk", `The login is in the keychain, which cannot be used: ${why}.`, {
    hint: "Unlock the keychain, or log in again: svc login",
    cause,
  });
}

function answerWithin<Result>(millis: number, work: Promise<Result>): Promise<Result> {
  return within(millis, work, () => new Error(`no answer in ${millis / 1_000} s`));
}
