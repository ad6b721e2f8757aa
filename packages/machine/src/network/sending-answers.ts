import { isBoolean, isMapOf } from "@svc/protocol/shape";
import { StateFile } from "../files/state-file.ts";

/** By service, then by the position in the line. */
type Answers = Record<string, Record<string, boolean>>;

const isAnswers = (value: unknown): value is Answers => isMapOf(isMapOf(isBoolean))(value);

/** Whether a service may have the files that a word at a certain position names without a clear form. */
export class SendingAnswers {
  readonly #file: StateFile<Answers>;
  readonly #origin: string;

  constructor(origin: string, environment: NodeJS.ProcessEnv) {
    this.#file = new StateFile(environment, "sending.json", isAnswers);
    this.#origin = origin;
  }

  async read(place: string): Promise<boolean | undefined> {
    return (await this.#file.read())?.[this.#origin]?.[place];
  }

  async write(place: string, maySend: boolean): Promise<void> {
    const all = (await this.#file.read()) ?? {};
    await this.#file.write({ ...all, [this.#origin]: { ...all[this.#origin], [place]: maySend } });
  }
}
