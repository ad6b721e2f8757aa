import { generateKeyPairSync, randomUUID } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Provider } from "oidc-provider";

interface IssueOptions {
  /** Whom the access token is for; the fixture's own audience where absent. */
  audience?: string;
  /** What the provider says about the person, in access token and ID token: email, email_verified, org. */
  claims?: Record<string, unknown>;
}

interface SigningKey {
  kid: string;
  alg: "ES256";
  [member: string]: unknown;
}

const clientId = "svc-cli";
const deviceGrant = "urn:ietf:params:oauth:grant-type:device_code";

/** A real OpenID provider on loopback. Access tokens are JWTs of RFC 9068, ES256. */
export class TestIdentityProvider {
  readonly audience = "https://api.svc.example";
  readonly issuer: string;
  readonly #server: Server;
  readonly #keys: SigningKey[] = [];
  readonly #claims = new Map<string, Record<string, unknown>>();
  #provider: Provider;

  private constructor(server: Server) {
    this.#server = server;
    this.issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    this.#provider = this.#withNewKey();
    // Asked for at each request: rotating the key replaces the provider.
    server.on("request", (request, response) => this.#provider.callback()(request, response));
  }

  static async start(): Promise<TestIdentityProvider> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return new TestIdentityProvider(server);
  }

  async close(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
  }

  /** The private key it signs with now, as a JWK: for tests that make what no provider would issue. */
  get signingKey(): SigningKey {
    const [newest] = this.#keys;
    if (!newest) throw new Error("a provider has at least one key");
    return newest;
  }

  /** Signs with a new key from now on; the old ones are still published. */
  rotateKey(): void {
    this.#provider = this.#withNewKey();
  }

  /** What `svc login` ends with: a device code that its owner approved, exchanged at the token endpoint. */
  async issue(subject: string, { audience = this.audience, claims = {} }: IssueOptions = {}) {
    this.#claims.set(subject, claims);
    const provider = this.#provider;
    const client = await provider.Client.find(clientId);
    if (!client) throw new Error("the provider does not know its client");
    const grant = new provider.Grant({ accountId: subject, clientId });
    grant.addOIDCScope("openid");
    const code = new provider.DeviceCode({
      client,
      accountId: subject,
      grantId: await grant.save(),
      scope: "openid",
      resource: audience,
      userCode: randomUUID(),
      deviceInfo: {},
      params: {},
    } as never);
    const answer = await fetch(`${this.issuer}/token`, {
      method: "POST",
      body: new URLSearchParams({
        grant_type: deviceGrant,
        client_id: clientId,
        device_code: await code.save(),
        resource: audience,
      }),
    });
    const body = (await answer.json()) as { access_token: string; id_token: string };
    if (!answer.ok) throw new Error(`the provider refused: ${JSON.stringify(body)}`);
    return { accessToken: body.access_token, idToken: body.id_token };
  }

  #withNewKey(): Provider {
    const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    this.#keys.unshift({
      ...privateKey.export({ format: "jwk" }),
      kid: randomUUID(),
      alg: "ES256",
      use: "sig",
    });
    return new Provider(this.issuer, {
      jwks: { keys: this.#keys },
      cookies: { keys: [randomUUID()] },
      clients: [
        {
          client_id: clientId,
          application_type: "native",
          token_endpoint_auth_method: "none",
          id_token_signed_response_alg: "ES256",
          grant_types: [deviceGrant],
          response_types: [],
          redirect_uris: [],
        },
      ],
      claims: { openid: ["sub"] },
      findAccount: (_context, accountId) => ({
        accountId,
        claims: async () => ({ ...this.#claims.get(accountId), sub: accountId }),
      }),
      extraTokenClaims: (_context, token) =>
        "accountId" in token ? this.#claims.get(token.accountId) : undefined,
      features: {
        deviceFlow: { enabled: true },
        resourceIndicators: {
          enabled: true,
          getResourceServerInfo: (_context, audience) => ({
            audience,
            scope: "",
            accessTokenFormat: "jwt",
            accessTokenTTL: 3_600,
            jwt: { sign: { alg: "ES256" } },
          }),
        },
      },
      ttl: { AccessToken: 3_600, DeviceCode: 600, Grant: 3_600, IdToken: 3_600 },
    });
  }
}
