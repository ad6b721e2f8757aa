import { StateFile } from "@svc/machine/files/state-file";
import { isMapOf, isMaybe, isShape, isText } from "@svc/protocol/shape";
import type { Credential } from "../credentials/credential.ts";

export interface Place {
  id: string;
  name: string;
}

export interface Choice {
  current?: Place;
  previous?: Place;
}

/** Which service, and as whom. */
interface Calling {
  baseUrl: URL;
  credential: Credential;
}

/** The workspace selected with `use`, per service and account. */
type Choices = Record<string, Record<string, Choice>>;

const isPlace = isShape<Place>({ id: isText, name: isText });
const isChoice = isShape<Choice>({ current: isMaybe(isPlace), previous: isMaybe(isPlace) });
const isChoices = (value: unknown): value is Choices => isMapOf(isMapOf(isChoice))(value);

export class ChosenWorkspaces {
  readonly #file: StateFile<Choices>;
  readonly #origin: string;
  readonly #account: string;

  constructor({ baseUrl, credential: { account } }: Calling, environment: NodeJS.ProcessEnv) {
    this.#file = new StateFile(environment, "workspaces.json", isChoices);
    this.#origin = baseUrl.origin;
    this.#account = account;
  }

  async read(): Promise<Choice> {
    return (await this.#file.read())?.[this.#origin]?.[this.#account] ?? {};
  }

  async write(choice: Choice): Promise<void> {
    const all = (await this.#file.read()) ?? {};
    await this.#file.write({ ...all, [this.#origin]: { ...all[this.#origin], [this.#account]: choice } });
  }
}

/** For the body of a call, unless the environment names one. What a person chose is not for an agent's session. */
export async function chosenWorkspace(
  calling: Calling,
  environment: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  const isForAgent = environment.SVC_CLI_SESSION_TICKET && calling.credential.kind === "login";
  if (environment.SVC_CURRENT_WORKSPACE_ID || isForAgent) return undefined;
  return (await new ChosenWorkspaces(calling, environment).read()).current?.id;
}
