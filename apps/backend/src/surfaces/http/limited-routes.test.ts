import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { FastifyInstance, HTTPMethods } from "fastify";
import { expect, test } from "vitest";
import { TestBackend } from "../../../testing/test-backend.ts";

const perAddress = 2;

/** Of a caller: always the same, or another one of their network for each request. */
const addresses = [
  (caller: number) => `10.0.${Math.floor(caller / 250)}.${caller % 250}`,
  (caller: number, count: number) => `2001:db8:0:${(caller + 1).toString(16)}::${count.toString(16)}`,
];

test("every route refuses an address that asks too often, and an IPv6 network as one", async () => {
  const routes: { method: HTTPMethods; url: string }[] = [];
  const watch = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance };
    fastify.addHook("onRoute", ({ method, url }) => {
      for (const one of [method].flat()) routes.push({ method: one as HTTPMethods, url });
    });
    // Stands for a new route that somebody adds without thinking of limits.
    fastify.get("/added-tomorrow", async () => "hello");
  };
  subscribe("fastify.initialization", watch);
  await using backend = await disposableBackend();
  unsubscribe("fastify.initialization", watch);

  const unlimited: string[] = [];
  for (const [index, { method, url }] of routes.entries()) {
    for (const addressOf of addresses) {
      const ask = (count: number) =>
        backend.server.inject({
          method,
          url: url.replace(":ticket", "x"),
          remoteAddress: addressOf(index, count),
        });
      // Pieces of transfers are counted separately: one command moves many.
      const allowed = /uploads|downloads/.test(url) ? perAddress * 5 : perAddress;
      for (let count = 1; count <= allowed; count += 1) expect((await ask(count)).statusCode).not.toBe(429);
      const { statusCode, headers } = await ask(allowed + 1);
      if (statusCode !== 429 || headers["retry-after"] === undefined) unlimited.push(`${method} ${url}`);
    }
  }
  expect(routes.map(({ url }) => url)).toEqual(
    expect.arrayContaining(["/openapi.json", "/healthz", "/api/v1/cli", "/added-tomorrow"]),
  );
  expect(unlimited).toEqual([]);
});

test("a flood of requests does not block the health checks of the same proxy", async () => {
  await using backend = await disposableBackend();
  const status = async (url: string) => (await backend.server.inject({ url })).statusCode;
  for (let count = 1; count <= perAddress; count += 1) await status("/openapi.json");
  expect([await status("/openapi.json"), await status("/healthz"), await status("/readyz")]).toEqual([
    429, 200, 200,
  ]);
});

async function disposableBackend() {
  const backend = await TestBackend.start({ rate: { perCredential: 1e9, perAddress } });
  return { server: backend.server, [Symbol.asyncDispose]: () => backend.close() };
}
