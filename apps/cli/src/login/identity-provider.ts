import { Failure } from "@svc/machine/failure";
import * as oauth from "oauth4webapi";
import type { Login, Provider } from "../credentials/login.ts";
import type { DeviceCode } from "./device-code.ts";
import { providerFetch } from "./provider-fetch.ts";

/** RFC 8628, 3.2: the default if the provider names none. */
const usualInterval = 5;
const usualSilence = 10_000;

/** A refusal by the provider, in its own words. */
export class ProviderRefusal extends Failure {
  readonly code: string;

  constructor(
    domain: string,
    { error, error_description: description }: Pick<oauth.ResponseBodyError, "error" | "error_description">,
  ) {
    super("internal", `${domain} refuses: ${description ?? error} (${error}).`, {
      hint: "Log in again: svc login. If it happens again, tell the operator of the service.",
    });
    this.code = error;
  }
}

type Options = { [oauth.customFetch]: ReturnType<typeof providerFetch> };

/** The four things that svc needs from an identity provider. Loaded on demand: it takes a while. */
export class IdentityProvider {
  readonly identity: Provider;
  readonly #server: oauth.AuthorizationServer;
  readonly #client: oauth.Client;
  readonly #options: Options;

  private constructor(provider: Provider, server: oauth.AuthorizationServer, options: Options) {
    this.identity = provider;
    this.#server = server;
    this.#client = { client_id: provider.clientId };
    this.#options = options;
  }

  static async discover(
    provider: Provider,
    signal: AbortSignal,
    silenceMillis = usualSilence,
  ): Promise<IdentityProvider> {
    const issuer = new URL(`https://${provider.domain}`);
    const options = { [oauth.customFetch]: providerFetch(signal, silenceMillis) };
    const server = await understood(provider, async () =>
      oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, options)),
    );
    return new IdentityProvider(provider, server, options);
  }

  requestCode(): Promise<DeviceCode> {
    return this.#understood(async () => {
      const { audience } = this.identity;
      // One is RFC 8707's name, the other is what some providers call it; providers ignore names they do not know.
      const wanted = { scope: "openid offline_access", audience, resource: audience };
      const asked = oauth.deviceAuthorizationRequest(
        this.#server,
        this.#client,
        oauth.None(),
        wanted,
        this.#options,
      );
      const given = await oauth.processDeviceAuthorizationResponse(this.#server, this.#client, await asked);
      const complete = given.verification_uri_complete;
      return {
        deviceCode: given.device_code,
        userCode: given.user_code,
        verificationUri: given.verification_uri,
        verificationUriComplete: complete,
        expiresAt: Date.now() + given.expires_in * 1_000,
        interval: given.interval ?? usualInterval,
      };
    });
  }

  exchange(deviceCode: string): Promise<Login> {
    return this.#understood(async () => {
      const asked = oauth.deviceCodeGrantRequest(
        this.#server,
        this.#client,
        oauth.None(),
        deviceCode,
        this.#forAudience(),
      );
      return this.#toLogin(await oauth.processDeviceCodeResponse(this.#server, this.#client, await asked));
    });
  }

  refresh(login: Login, refreshToken: string): Promise<Login> {
    return this.#understood(async () => {
      const asked = oauth.refreshTokenGrantRequest(
        this.#server,
        this.#client,
        oauth.None(),
        refreshToken,
        this.#forAudience(),
      );
      const given = await oauth.processRefreshTokenResponse(this.#server, this.#client, await asked);
      return this.#toLogin(given, { ...login, refreshToken });
    });
  }

  /** RFC 7009; revoking the refresh token also revokes the tokens issued for it. */
  async revoke(refreshToken: string): Promise<void> {
    await this.#understood(async () => {
      const options = { ...this.#options, additionalParameters: { token_type_hint: "refresh_token" } };
      const asked = oauth.revocationRequest(this.#server, this.#client, oauth.None(), refreshToken, options);
      await oauth.processRevocationResponse(await asked);
    });
  }

  #forAudience() {
    return { ...this.#options, additionalParameters: { resource: this.identity.audience } };
  }

  /** A refresh may leave out what has not changed. */
  #toLogin(given: oauth.TokenEndpointResponse, before?: Login): Login {
    const account = oauth.getValidatedIdTokenClaims(given)?.sub ?? before?.account;
    if (account === undefined) {
      throw new Failure("internal", `${this.identity.domain} does not say who logged in.`);
    }
    const refreshToken = given.refresh_token ?? before?.refreshToken;
    return {
      accessToken: given.access_token,
      expiresAt: given.expires_in === undefined ? undefined : Date.now() + given.expires_in * 1_000,
      refreshToken,
      account,
      provider: this.identity,
    };
  }

  #understood<Result>(work: () => Promise<Result>): Promise<Result> {
    return understood(this.identity, work);
  }
}

async function understood<Result>({ domain }: Provider, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Failure) throw error;
    if (error instanceof oauth.ResponseBodyError) throw new ProviderRefusal(domain, error);
    throw new Failure("unavailable", `${domain} sent an answer that svc does not understand.`, {
      hint: "Try again later; `svc doctor` checks each step.",
      cause: error,
    });
  }
}
