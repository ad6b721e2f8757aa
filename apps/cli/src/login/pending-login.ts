import { StateFile } from "@svc/machine/files/state-file";
import { isMapOf, isShape } from "@svc/protocol/shape";
import { isProvider, type Provider } from "../credentials/login.ts";
import { type DeviceCode, isDeviceCode } from "./device-code.ts";

interface Pending {
  code: DeviceCode;
  provider: Provider;
}

const isPending = isShape<Pending>({ code: isDeviceCode, provider: isProvider });
const isAllPending = (value: unknown): value is Record<string, Pending> => isMapOf(isPending)(value);

/** A login started by `login --no-wait`, to be finished by `login --resume`; one per service. */
export class PendingLogin {
  readonly #file: StateFile<Record<string, Pending>>;
  readonly #origin: string;

  constructor(baseUrl: URL, environment: NodeJS.ProcessEnv) {
    this.#file = new StateFile(environment, "pending-login.json", isAllPending);
    this.#origin = baseUrl.origin;
  }

  async read(): Promise<Pending | undefined> {
    return (await this.#file.read())?.[this.#origin];
  }

  async write(pending: Pending): Promise<void> {
    await this.#file.write({ ...(await this.#file.read()), [this.#origin]: pending });
  }

  async remove(): Promise<void> {
    const { [this.#origin]: pending, ...others } = (await this.#file.read()) ?? {};
    if (pending) await this.#file.write(others);
  }
}
