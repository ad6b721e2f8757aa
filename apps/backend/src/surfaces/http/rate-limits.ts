import { setTimeout as sleep } from "node:timers/promises";
import rateLimit, {
  type CreateRateLimitOptions,
  type FastifyRateLimitStore,
  type FastifyRateLimitStoreCtor,
} from "@fastify/rate-limit";
import { headers } from "@svc/protocol/headers";
import { ProblemError } from "@svc/protocol/problem";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { LRUCache } from "lru-cache";
import { allowanceKey } from "../../platform/identity/caller.ts";
import { networkOf } from "./network-of.ts";

type Limited =
  | "address"
  | "probe"
  | "credential"
  | "page"
  | "completion"
  | "transferringAddress"
  | "transferringCredential";
type Limiter = ReturnType<FastifyInstance["createRateLimit"]>;

declare module "fastify" {
  interface FastifyInstance {
    limiters: Record<Limited, Limiter>;
  }
  interface FastifyContextConfig {
    /** Health checks have a separate count, so that requests through a proxy never block the probes it sends. */
    isProbe?: boolean;
  }
}

const transfers = ["/api/v1/uploads/", "/api/v1/downloads/"];
/** One command can move many pieces. They are counted apart, so that people can work while a transfer runs. */
const piecesPerRequest = 5;

/**
 * Counted per process: with N processes a caller can have up to N times as much, which is enough against abuse and
 * needs no shared store. Every route counts by address, unknown addresses included; routes behind authentication also
 * count by credential.
 */
export async function registerRateLimits(
  app: FastifyInstance,
  rate: { perCredential: number; perAddress: number },
  now?: () => number,
): Promise<void> {
  await app.register(rateLimit, { global: false, timeWindow: 60_000, store: rateCounts(20_000, now) });
  const limiter = (options: CreateRateLimitOptions) =>
    app.createRateLimit({ timeWindow: 60_000, ...options });
  app.decorate("limiters", {
    address: limiter({ max: rate.perAddress, keyGenerator: byNetwork }),
    probe: limiter({ max: rate.perAddress, keyGenerator: byNetwork }),
    transferringAddress: limiter({
      max: rate.perAddress * piecesPerRequest,
      keyGenerator: byNetwork,
    }),
    credential: limiter({ max: rate.perCredential, keyGenerator: credentialOf }),
    page: limiter({ max: rate.perCredential, keyGenerator: credentialOf }),
    completion: limiter({ max: rate.perCredential, keyGenerator: credentialOf }),
    transferringCredential: limiter({
      max: rate.perCredential * piecesPerRequest,
      keyGenerator: credentialOf,
    }),
  });
  app.addHook("onRequest", (request, reply) => checkRate(request, reply, addressLimitOf(request)));
}

/** Once the caller is known. */
export function checkCredentialRate(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  // Somebody who presses Tab all the time can still run commands. The header is checked against the body later.
  const ordinary = isCompletion(request) ? "completion" : "credential";
  // guard: pieces-are-no-operations
  return checkRate(request, reply, isTransfer(request) ? "transferringCredential" : ordinary);
}

/** Known before the body is read, so that it can be counted first. */
export function isCompletion({ headers: sent, routeOptions }: FastifyRequest): boolean {
  // Elsewhere it would be a second allowance for any request.
  // guard: completion-of-lines-alone
  if (routeOptions.url !== "/api/v1/cli") return false;
  return sent[headers.completion] !== undefined;
}

/**
 * The first page of `--all` is the request itself. The others have a separate count, so that people can work meanwhile,
 * and wait for the next minute instead of failing.
 */
export async function waitForPage(request: FastifyRequest, signal: AbortSignal): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    const limit = await request.server.limiters.page(request);
    if (limit.isAllowed || !limit.isExceeded) return;
    await sleep(limit.ttl, undefined, { signal }).catch(() => {});
  }
}

function addressLimitOf(request: FastifyRequest): Limited {
  if (request.routeOptions.config.isProbe) return "probe";
  return isTransfer(request) ? "transferringAddress" : "address";
}

function isTransfer({ routeOptions: { url } }: FastifyRequest): boolean {
  return transfers.some((prefix) => url?.startsWith(prefix));
}

function byNetwork({ ip }: FastifyRequest): string {
  return networkOf(ip);
}

function credentialOf({ caller }: FastifyRequest): string {
  return caller ? allowanceKey(caller) : "nobody";
}

async function checkRate(request: FastifyRequest, reply: FastifyReply, by: Limited): Promise<void> {
  const limit = await request.server.limiters[by](request);
  if (limit.isAllowed || !limit.isExceeded) return;
  reply.header("retry-after", limit.ttlInSeconds);
  throw new ProblemError("too_many_requests", `You sent more than ${limit.max} requests in a minute.`, {
    hint: `Try again in ${limit.ttlInSeconds} s.`,
  });
}

interface Count {
  current: number;
  since: number;
}

/** Counts requests by key, each from its first request until the time window ends. The library's store has no clock that a test can move. */
function rateCounts(maxKeys: number, now = () => performance.now()): FastifyRateLimitStoreCtor {
  return class RateCounts implements FastifyRateLimitStore {
    readonly #counts = new LRUCache<string, Count>({ max: maxKeys });

    incr(
      key: string,
      answer: (error: null, result: { current: number; ttl: number }) => void,
      timeWindow: number,
    ): void {
      const at = now();
      const known = this.#counts.get(key);
      const count = known && at < known.since + timeWindow ? known : { current: 0, since: at };
      count.current += 1;
      this.#counts.set(key, count);
      answer(null, { current: count.current, ttl: count.since + timeWindow - at });
    }

    child(): FastifyRateLimitStore {
      return new RateCounts();
    }
  };
}
