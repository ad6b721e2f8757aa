import { StateFile } from "@svc/machine/files/state-file";
import { isMapOf, isShape } from "@svc/protocol/shape";
import { isProvider, loginKey, type Profile, type Provider } from "../credentials/login.ts";
import { type DeviceCode, isDeviceCode } from "./device-code.ts";

interface Pending {
  code: DeviceCode;
  provider: Provider;
}

const isPending = isShape<Pending>({ code: isDeviceCode, provider: isProvider });
const isAllPending = (value: unknown): value is Record<string, Pending> => isMapOf(isPending)(value);

/** A login started by `login --no-wait`, to be finished by `login --resume`; one per profile. */
export class PendingLogin {
  readonly #file: StateFile<Record<string, Pending>>;
  readonly #key: string;

  constructor(profile: Profile, environment: NodeJS.ProcessEnv) {
    this.#file = new StateFile(environment, "pending-login.json", isAllPending);
    this.#key = loginKey(profile);
  }

  async read(): Promise<Pending | undefined> {
    return (await this.#file.read())?.[this.#key];
  }

  async write(pending: Pending): Promise<void> {
    await this.#file.write({ ...(await this.#file.read()), [this.#key]: pending });
  }

  async remove(): Promise<void> {
    const { [this.#key]: pending, ...others } = (await this.#file.read()) ?? {};
    if (pending) await this.#file.write(others);
  }
}
