import { isMaybe, isNumber, isShape, isText } from "@svc/protocol/shape";

/** A service, and which login to use there: the one without a name, or one with. */
export interface Profile {
  baseUrl: URL;
  name?: string | undefined;
  /** The line itself names it. */
  isTyped?: boolean;
}

/** The key of a stored login. It holds the origin: a login is found for its own service only. */
export function loginKey({ baseUrl, name }: Profile): string {
  return name === undefined ? baseUrl.origin : `${baseUrl.origin} ${name}`;
}

/** The issuer; the refresh token goes to nobody else. */
export interface Provider {
  domain: string;
  clientId: string;
  audience: string;
}

/** The result of `login`. */
export interface Login {
  accessToken: string;
  /** By this machine's clock, in milliseconds. Absent if the provider did not say. */
  expiresAt?: number | undefined;
  /** Absent if the provider issues none: the login then ends with its access token. */
  refreshToken?: string | undefined;
  /** The provider's name for the person. */
  account: string;
  provider: Provider;
}

export const isProvider = isShape<Provider>({ domain: isText, clientId: isText, audience: isText });

export const isLogin = isShape<Login>({
  accessToken: isText,
  expiresAt: isMaybe(isNumber),
  refreshToken: isMaybe(isText),
  account: isText,
  provider: isProvider,
});

/** A request takes its time, and clocks differ. */
const reserve = 30_000;

export function isFresh({ expiresAt }: Login): boolean {
  return expiresAt === undefined || expiresAt - Date.now() > reserve;
}
