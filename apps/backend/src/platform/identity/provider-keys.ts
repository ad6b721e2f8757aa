import { createLocalJWKSet, errors, type JWTVerifyGetKey } from "jose";
import { attribute } from "../process/dependency.ts";
import type { Log } from "../process/log.ts";

/** How long keys are used without asking again: a withdrawn key is valid no longer than that. */
const freshFor = 10 * 60 * 1_000;
/** How long they are used while the provider is down: longer than its tokens live, so that its outage is not ours. */
const trustedFor = 24 * 60 * 60 * 1_000;
/** Counted between attempts, including failed ones: neither an outage nor made-up key ids make us ask at every request. */
const pause = 10_000;
const patience = 3_000;

/**
 * The provider's signing keys, found through its discovery document and loaded at the first token. jose's remote key
 * set was used before: when its cache expires, it refuses every token until the provider answers, and asks each time.
 */
export function providerKeys(
  issuer: string,
  log: Log,
  now: () => number = () => performance.now(),
): JWTVerifyGetKey {
  let keys: { find: JWTVerifyGetKey; loadedAt: number } | undefined;
  let triedAt = Number.NEGATIVE_INFINITY;
  let loading: Promise<void> | undefined;
  /** Of the last attempt: a token that cannot be checked is not a wrong one. */
  let failure: unknown;

  return async function findKey(header, token) {
    if (!isYoungerThan(freshFor)) await load();
    if (!keys || !isYoungerThan(trustedFor)) throw failure;
    const before = keys;
    try {
      return await before.find(header, token);
    } catch (error) {
      // An unknown id may belong to a new key.
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      await load();
      if (keys === before) throw failure ?? error;
      return keys.find(header, token);
    }
  };

  function isYoungerThan(age: number): boolean {
    return keys !== undefined && now() - keys.loadedAt < age;
  }

  /** Never fails: if the provider does not answer, the known keys stay. */
  async function load(): Promise<void> {
    if (loading !== undefined) return loading;
    const startedAt = now();
    if (startedAt - triedAt < pause) return;
    triedAt = startedAt;
    loading = attribute("provider", () => fetchKeys(issuer))
      .then(
        (find) => {
          keys = { find, loadedAt: startedAt };
          failure = undefined;
        },
        (error: unknown) => {
          failure = error;
          const dependency = "provider";
          log.error({ err: error, dependency, issuer }, "cannot read the keys of the identity provider");
        },
      )
      .finally(() => {
        loading = undefined;
      });
    return loading;
  }
}

async function fetchKeys(issuer: string): Promise<JWTVerifyGetKey> {
  const signal = AbortSignal.timeout(patience);
  const discovery = `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
  const document = (await fetchJson(discovery, signal)) as { issuer?: string; jwks_uri?: string };
  if (document.issuer !== issuer || document.jwks_uri === undefined) {
    throw new Error("the provider's discovery document is not for this issuer");
  }
  return createLocalJWKSet((await fetchJson(document.jwks_uri, signal)) as never);
}

async function fetchJson(address: string, signal: AbortSignal): Promise<unknown> {
  const answer = await fetch(address, { signal, redirect: "error" });
  if (!answer.ok) throw new Error(`${address} answers ${answer.status}`);
  return answer.json();
}
