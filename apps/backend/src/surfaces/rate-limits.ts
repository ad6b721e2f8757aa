import rateLimit, { type CreateRateLimitOptions } from "@fastify/rate-limit";
import { ProblemError } from "@svc/protocol/problem";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

type Limited = "address" | "credential";
type Limiter = ReturnType<FastifyInstance["createRateLimit"]>;

declare module "fastify" {
  interface FastifyInstance {
    limiters: Record<Limited, Limiter>;
  }
}

/**
 * Counted in each process: with N processes a caller may have up to N times as much, which is enough against abuse
 * and needs no shared store. By address before authentication, by credential after it.
 */
export async function registerRateLimits(
  app: FastifyInstance,
  rate: { perCredential: number; perAddress: number },
): Promise<void> {
  await app.register(rateLimit, { global: false, timeWindow: 60_000, cache: 20_000 });
  const limiter = (options: CreateRateLimitOptions) =>
    app.createRateLimit({ timeWindow: 60_000, ...options });
  app.decorate("limiters", {
    address: limiter({ max: rate.perAddress, keyGenerator: (request) => request.ip }),
    credential: limiter({
      max: rate.perCredential,
      keyGenerator: ({ caller }) => caller?.credential.id ?? caller?.actor.id ?? "nobody",
    }),
  });
}

export function limitRate(by: Limited) {
  return async function checkRate(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const limit = await request.server.limiters[by](request);
    if (limit.isAllowed || !limit.isExceeded) return;
    reply.header("retry-after", limit.ttlInSeconds);
    throw new ProblemError("too_many_requests", `More than ${limit.max} requests in a minute.`, {
      hint: `Go on in ${limit.ttlInSeconds} s.`,
    });
  };
}
