import { Failure } from "@svc/machine/failure";
import { StateFile } from "@svc/machine/files/state-file";
import { profileName } from "@svc/protocol/profile-name";
import { isMaybe, isShape, isText } from "@svc/protocol/shape";
import { baseUrlOf } from "../network/base-url.ts";
import type { Profile } from "./login.ts";

/** With the origin: once that login is gone, the choice must not become another account there. */
type Choice = { name?: string; origin?: string };
const isChoice = isShape<Choice>({ name: isMaybe(isText), origin: isMaybe(isText) });
const choiceFile = (environment: NodeJS.ProcessEnv) => new StateFile(environment, "profile.json", isChoice);

/** What people call the login without a name. */
export const unnamed = "default";

/** As typed, otherwise from SVC_PROFILE, otherwise from `use @name`. Programs and agents get the environment's service. */
export async function findProfile(
  environment: NodeJS.ProcessEnv,
  { typed, mayBeNew = false }: { typed?: string | undefined; mayBeNew?: boolean } = {},
): Promise<Profile> {
  const { SVC_SA_TOKEN, SVC_CLI_SESSION_TICKET, SVC_PROFILE, SVC_BASE_URL } = environment;
  const asked = typed ?? (SVC_SA_TOKEN || SVC_CLI_SESSION_TICKET ? unnamed : SVC_PROFILE || undefined);
  const chosen = asked === undefined ? await choiceFile(environment).read() : undefined;
  const isElsewhere = SVC_BASE_URL && chosen?.origin !== baseUrlOf(environment).origin;
  const name = asked ?? (isElsewhere ? unnamed : (chosen?.name ?? unnamed));
  const isTyped = typed !== undefined;
  if (name === unnamed) return { baseUrl: baseUrlOf(environment), isTyped };
  const origins = await (await import("./login-store.ts")).profileOrigins(environment);
  const isNew = mayBeNew && profileName.test(name);
  // A choice is of a login, not of a word: a namesake at another service is another one.
  const isNamesake = chosen?.origin !== undefined && origins.get(name) !== chosen.origin;
  const origin =
    (isNamesake ? undefined : origins.get(name)) ??
    (isNew ? (chosen?.origin ?? baseUrlOf(environment).origin) : undefined);
  if (origin === undefined) {
    const known = [unnamed, ...[...origins].map(([each, at]) => `${each} (${at})`)].join(", ");
    throw new Failure("notLoggedIn", `You have no profile \`${name}\`.`, {
      hint: `There are: ${known}. For a new one, of up to 64 letters a-z, digits and -: svc login --profile <name>`,
    });
  }
  // Its login is for no other address.
  if (SVC_BASE_URL && baseUrlOf(environment).origin !== origin) {
    throw new Failure("usage", `Profile \`${name}\` is for ${origin}, but SVC_BASE_URL is ${SVC_BASE_URL}.`, {
      hint: "Unset SVC_BASE_URL, or choose another profile.",
    });
  }
  return { baseUrl: baseUrlOf({ SVC_BASE_URL: origin }), name, isTyped };
}

export function chooseProfile({ name, baseUrl }: Profile, environment: NodeJS.ProcessEnv): Promise<void> {
  return choiceFile(environment).write(name === undefined ? {} : { name, origin: baseUrl.origin });
}
