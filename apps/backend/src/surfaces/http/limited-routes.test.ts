import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { FastifyInstance, HTTPMethods } from "fastify";
import { expect, test } from "vitest";
import { TestBackend } from "../../../testing/test-backend.ts";

const perAddress = 2;

test("every route refuses an address that asks too often", async () => {
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
    const ask = () =>
      backend.server.inject({
        method,
        url: url.replace(":ticket", "x"),
        remoteAddress: `10.0.${Math.floor(index / 250)}.${index % 250}`,
      });
    // Pieces of transfers are counted separately: one command moves many.
    const allowed = /uploads|downloads/.test(url) ? perAddress * 5 : perAddress;
    for (let count = 1; count <= allowed; count += 1) expect((await ask()).statusCode).not.toBe(429);
    const { statusCode, headers } = await ask();
    if (statusCode !== 429 || headers["retry-after"] === undefined) unlimited.push(`${method} ${url}`);
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
