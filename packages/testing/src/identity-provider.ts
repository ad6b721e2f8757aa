import { generateKeyPairSync, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { Provider } from "oidc-provider";

interface IssueOptions {
  /** The audience of the access token; the fixture's own by default. */
  audience?: string;
  /** What the provider says about the person, in access token and ID token: email, email_verified, org. */
  claims?: Record<string, unknown>;
  /** Scopes that the person granted besides `openid`, such as `files:read`. */
  scope?: string;
  /** The client: svc, or another one that the provider knows. */
  clientId?: ClientId;
}

interface StartOptions {
  /** Serves https with them, as `localhost`; http by default. */
  tls?: { key: string; cert: string };
}

interface SigningKey {
  kid: string;
  alg: "ES256";
  [member: string]: unknown;
}

const clientIds = ["svc-cli", "other-app"] as const;
type ClientId = (typeof clientIds)[number];
/** Scopes that people can grant at this provider: ours, and those of another service. */
const resourceScopes = "files:read files:write tokens:write mail:send";
const deviceGrant = "urn:ietf:params:oauth:grant-type:device_code";

/** A real OpenID provider on loopback. Access tokens are JWTs of RFC 9068, ES256. */
export class TestIdentityProvider {
  readonly audience = "https://api.svc.example";
  readonly issuer: string;
  readonly #server: Server;
  readonly #keys: SigningKey[] = [];
  readonly #claims = new Map<string, Record<string, unknown>>();
  #provider: Provider;
  /** The lifetime of tokens from now on, in seconds. */
  accessTokenSeconds = 3_600;
  deviceCodeSeconds = 600;
  /** How many refresh tokens were exchanged. */
  refreshes = 0;
  /** A handler in front of it: returns true if it has answered instead. */
  fault: (request: IncomingMessage, response: ServerResponse) => boolean = () => false;
  /** What clients say about themselves, by the address that is their id. */
  readonly clientDocuments = new Map<string, object>();
  /** Changes what a device is told to show and to wait. */
  deviceAnswer: Record<string, unknown> = {};

  private constructor(server: Server, origin: string) {
    this.#server = server;
    this.issuer = `${origin}:${(server.address() as AddressInfo).port}`;
    this.#provider = this.#withNewKey();
    server.on("request", (request, response) => {
      if (this.fault(request, response)) return;
      // Looked up for each request: rotating the key replaces the provider.
      void this.#provider.callback()(request, response);
    });
  }

  static async start({ tls }: StartOptions = {}): Promise<TestIdentityProvider> {
    const server = tls ? createTlsServer(tls) : createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return new TestIdentityProvider(server, tls ? "https://localhost" : "http://127.0.0.1");
  }

  /** What the provider knows about a person who signs in with this name. */
  addPerson(subject: string, claims: Record<string, unknown>): void {
    this.#claims.set(subject, claims);
  }

  async close(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
  }

  /** The current private key, as a JWK: for tests that forge tokens no provider would issue. */
  get signingKey(): SigningKey {
    const [newest] = this.#keys;
    if (!newest) throw new Error("a provider has at least one key");
    return newest;
  }

  /** Signs with a new key from now on; the old ones are still published. */
  rotateKey(): void {
    this.#provider = this.#withNewKey();
  }

  /** The result of `svc login`: an approved device code, exchanged at the token endpoint. */
  async issue(subject: string, options: IssueOptions = {}) {
    const { audience = this.audience, claims = {}, scope = "", clientId = "svc-cli" } = options;
    this.#claims.set(subject, claims);
    const provider = this.#provider;
    const client = await provider.Client.find(clientId);
    if (!client) throw new Error("the provider does not know its client");
    const grant = new provider.Grant({ accountId: subject, clientId });
    grant.addOIDCScope("openid");
    if (scope !== "") grant.addResourceScope(audience, scope);
    const code = new provider.DeviceCode({
      client,
      accountId: subject,
      grantId: await grant.save(),
      scope: `openid ${scope}`.trim(),
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
    const provider = new Provider(this.issuer, {
      jwks: { keys: this.#keys },
      cookies: { keys: [randomUUID()] },
      clients: clientIds.map((client_id) => ({
        client_id,
        application_type: "native",
        token_endpoint_auth_method: "none",
        id_token_signed_response_alg: "ES256",
        grant_types: [deviceGrant, "refresh_token"],
        response_types: [],
        redirect_uris: [],
      })),
      claims: { openid: ["sub"] },
      findAccount: (_context, accountId) => ({
        accountId,
        claims: async () => ({ ...this.#claims.get(accountId), sub: accountId }),
      }),
      extraTokenClaims: (_context, token) =>
        "accountId" in token ? this.#claims.get(token.accountId) : undefined,
      fetch: async (url) => {
        const document = this.clientDocuments.get(String(url));
        return document ? Response.json(document) : new Response(null, { status: 404 });
      },
      features: {
        clientIdMetadataDocument: { enabled: true, ack: "draft-02" },
        deviceFlow: { enabled: true },
        revocation: { enabled: true },
        resourceIndicators: {
          enabled: true,
          getResourceServerInfo: (_context, audience) => ({
            audience,
            scope: resourceScopes,
            accessTokenFormat: "jwt",
            jwt: { sign: { alg: "ES256" } },
          }),
        },
      },
      rotateRefreshToken: true,
      ttl: {
        AccessToken: () => this.accessTokenSeconds,
        DeviceCode: () => this.deviceCodeSeconds,
        Grant: 3_600,
        IdToken: 3_600,
        Interaction: 600,
        RefreshToken: 3_600,
        Session: 3_600,
      },
    });
    provider.on("device_authorization.success", (_context, answer) => {
      Object.assign(answer, this.deviceAnswer);
    });
    provider.on("grant.success", ({ oidc }) => {
      if (oidc.params?.grant_type === "refresh_token") this.refreshes += 1;
    });
    return provider;
  }
}
