import { headers } from "@svc/protocol/headers";
import type { ProblemError } from "@svc/protocol/problem";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Authenticate } from "../../platform/identity/authenticate.ts";
import type { Caller } from "../../platform/identity/caller.ts";
import { toProblemError } from "./problem-answer.ts";
import { checkCredentialRate } from "./rate-limits.ts";
import { singleHeader } from "./single-header.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Set on every route behind authentication. */
    caller?: Caller;
    commandPath?: string;
  }
}

/** Everything registered inside needs a credential, which is checked before the body is read. */
export function registerAuthentication(
  app: FastifyInstance,
  {
    authenticate,
    challenge = ({ code }) => (code === "unauthenticated" ? "Bearer" : undefined),
  }: { authenticate: Authenticate; challenge?: (problem: ProblemError) => string | undefined },
  routes: (authenticated: FastifyInstance) => void,
): void {
  app.register((authenticated, _options, done) => {
    authenticated.addHook("onRequest", async (request, reply) => {
      reply.header("cache-control", "no-store");
      try {
        request.caller = await authenticate(presentedBy(request));
      } catch (error) {
        const asked = challenge(toProblemError(error));
        if (asked !== undefined) reply.header("www-authenticate", asked);
        throw error;
      }
    });
    authenticated.addHook("onRequest", checkCredentialRate);
    routes(authenticated);
    done();
  });
}

export function presentedBy(request: FastifyRequest): Parameters<Authenticate>[0] {
  return {
    authorization: request.headers.authorization,
    address: request.ip,
    ticket: singleHeader(request, headers.sessionTicket),
  };
}

export function requireCaller(request: { caller?: Caller }): Caller {
  if (!request.caller) throw new Error("this route is not behind authentication");
  return request.caller;
}
