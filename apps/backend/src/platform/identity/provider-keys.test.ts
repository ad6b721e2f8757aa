import { createServer, type RequestListener, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { errors, exportJWK, generateKeyPair } from "jose";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createLog } from "../process/log.ts";
import { providerKeys } from "./provider-keys.ts";

const lines: string[] = [];
const log = createLog({ logLevel: "warn", logPretty: false }, { write: (line) => lines.push(line) });
const clock = { now: 0 };
const minute = 60_000;
const discovery = "/.well-known/openid-configuration";
const jwk = await exportJWK((await generateKeyPair("ES256")).publicKey);
let server: Server;
let issuer: string;
/** Published key ids. */
let published: string[];
let asked: number;
let answer: RequestListener;

beforeEach(async () => {
  lines.length = 0;
  clock.now = 0;
  asked = 0;
  published = ["first"];
  answer = (request, response) => {
    const isDiscovery = request.url === discovery;
    if (!isDiscovery) asked += 1;
    response.end(JSON.stringify(isDiscovery ? document() : keySet()));
  };
  server = createServer((request, response) => answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(stop);

function document() {
  return { issuer, jwks_uri: `${issuer}/jwks` };
}

function keySet() {
  return { keys: published.map((kid) => ({ ...jwk, kid, alg: "ES256", use: "sig" })) };
}

function stop(): void {
  server.close();
  server.closeAllConnections();
}

function keysWithClock() {
  const find = providerKeys(issuer, log, () => clock.now);
  return (kid: string) => find({ alg: "ES256", kid }, {} as never);
}
const refused = errors.JWKSNoMatchingKey;
const providerFailed = expect.objectContaining({ dependency: "provider" });

test("asks once for many tokens, even concurrent ones", async () => {
  const find = keysWithClock();
  await Promise.all(Array.from({ length: 20 }, () => find("first")));
  clock.now = 9 * minute;
  await find("first");
  expect(asked).toBe(1);
});

test("a key that was added is found as soon as its first token comes", async () => {
  const find = keysWithClock();
  await find("first");
  published = ["first", "second"];
  clock.now = 20_000;
  await find("second");
  expect(asked).toBe(2);
});

test("a withdrawn key is valid for ten minutes at most", async () => {
  const find = keysWithClock();
  await find("first");
  published = ["second"];
  clock.now = 10 * minute;
  await expect(find("first")).rejects.toThrow(refused);
});

test("made-up key ids make it ask once in ten seconds, not once per token", async () => {
  const find = keysWithClock();
  await find("first");
  for (clock.now = 0; clock.now < 60_000; clock.now += 1_000) {
    await expect(find(`made up ${clock.now}`)).rejects.toThrow(refused);
  }
  expect(asked).toBe(6);
});

test("known keys outlive an outage of the provider for a day", async () => {
  const find = keysWithClock();
  await find("first");
  stop();
  for (const hours of [1, 5, 23]) {
    clock.now = hours * 60 * minute;
    await find("first");
  }
  await expect(find("unknown")).rejects.toEqual(providerFailed);
  clock.now = 25 * 60 * minute;
  await expect(find("first")).rejects.toEqual(providerFailed);
  expect(lines.filter((line) => line.includes("cannot read the keys of the identity provider"))).toHaveLength(
    4,
  );
});

test("recovers with the provider", async () => {
  const good = answer;
  answer = (_request, response) => response.writeHead(503).end();
  const find = keysWithClock();
  await expect(find("first")).rejects.toEqual(providerFailed);
  answer = good;
  clock.now = 9_000;
  await expect(find("first")).rejects.toEqual(providerFailed);
  clock.now = 10_000;
  await find("first");
  await expect(find("made up")).rejects.toThrow(refused);
});

test("times out on a provider that never answers, and lets nobody else wait for it soon after", async () => {
  answer = () => {
    asked += 1;
  };
  const find = keysWithClock();
  const waiting = [find("first"), find("first"), find("second")];
  const outcomes = await Promise.allSettled(waiting);
  const rejected = { status: "rejected", reason: providerFailed };
  expect(outcomes).toEqual([rejected, rejected, rejected]);
  await expect(find("first")).rejects.toEqual(providerFailed);
  expect(asked).toBe(1);
});

/** Each is valid except for one thing. */
const wrongAnswers: Record<string, Record<string, (response: ServerResponse) => unknown>> = {
  "an error": { [discovery]: (response) => response.writeHead(500).end(JSON.stringify(document())) },
  "an error for its keys": { "/jwks": (response) => response.writeHead(404).end(JSON.stringify(keySet())) },
  "something other than JSON": { [discovery]: (response) => response.end("<html>") },
  "a document for another issuer": {
    [discovery]: (response) =>
      response.end(JSON.stringify({ ...document(), issuer: "https://evil.example" })),
  },
  "a document without keys": { [discovery]: (response) => response.end(JSON.stringify({ issuer })) },
  "a redirect": {
    [discovery]: (response) => response.writeHead(302, { location: "/elsewhere" }).end(),
    "/elsewhere": (response) => response.end(JSON.stringify(document())),
  },
  "an invalid key set": { "/jwks": (response) => response.end('{"keys":"none"}') },
};

test.for(Object.entries(wrongAnswers))(
  "a provider that answers with %s gives no key, and a line in the log",
  async ([, wrong]) => {
    const right = answer;
    answer = (request, response) =>
      request.url && wrong[request.url] ? wrong[request.url]?.(response) : right(request, response);
    await expect(keysWithClock()("first")).rejects.toEqual(providerFailed);
    expect(lines.join()).toContain("cannot read the keys of the identity provider");
  },
);
