import { ProblemError } from "@svc/protocol/problem";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { visitMillis } from "../../features/demo/demo.ts";
import type { DemoSettings } from "../../platform/process/config.ts";
import { networkOf } from "../http/network-of.ts";

type Limiter = ReturnType<FastifyInstance["createRateLimit"]>;

const minute = 60_000;
/** Requests from all addresses, for each of one. */
const addressesAtOnce = 10;
const uploadsPerMinute = 10;
/** Files that are received at the same time, from all addresses: each is in memory until it is stored. */
const uploadsAtOnce = 16;

/** Counted in memory, per process: a request over a limit reaches neither the database nor the disk. */
export class DemoLimits {
  readonly #address: Limiter;
  readonly #all: Limiter;
  readonly #uploads: Limiter;
  readonly #visitors: Limiter;
  #uploading = 0;

  constructor(app: FastifyInstance, { ratePerAddress, visitorsPerAddress }: DemoSettings) {
    // Nobody is known here, and a /48 is easily had.
    const byAddress = { keyGenerator: ({ ip }: FastifyRequest) => networkOf(ip, 48) };
    this.#address = app.createRateLimit({ max: ratePerAddress, timeWindow: minute, ...byAddress });
    this.#all = app.createRateLimit({
      max: ratePerAddress * addressesAtOnce,
      timeWindow: minute,
      keyGenerator: () => "all",
    });
    this.#uploads = app.createRateLimit({ max: uploadsPerMinute, timeWindow: minute, ...byAddress });
    this.#visitors = app.createRateLimit({ max: visitorsPerAddress, timeWindow: visitMillis, ...byAddress });
  }

  async checkRequest(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    // guard: demo-address-rate
    await check(this.#address, request, reply, "You sent too many requests to the demo.");
    // guard: demo-total-rate
    await check(this.#all, request, reply, "The demo is busy.");
  }

  /** Until the answer has been sent, or the connection is closed. */
  async checkUpload(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    await check(this.#uploads, request, reply, "You uploaded too many files in a minute.");
    // guard: demo-uploads-at-once
    if (this.#uploading >= uploadsAtOnce) throw tooManyUploads();
    this.#uploading += 1;
    reply.raw.once("close", () => {
      this.#uploading -= 1;
    });
  }

  async checkVisitor(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    // guard: demo-visitors-per-address
    await check(this.#visitors, request, reply, "Too many visitors came from your network.");
  }
}

async function check(
  limiter: Limiter,
  request: FastifyRequest,
  reply: FastifyReply,
  why: string,
): Promise<void> {
  const limit = await limiter(request);
  if (limit.isAllowed || !limit.isExceeded) return;
  reply.header("retry-after", limit.ttlInSeconds);
  throw new ProblemError("too_many_requests", why, { hint: `Try again in ${limit.ttlInSeconds} s.` });
}

function tooManyUploads(): ProblemError {
  return new ProblemError("too_many_requests", "Too many files are being uploaded to the demo.", {
    hint: "Try again in some seconds.",
  });
}
