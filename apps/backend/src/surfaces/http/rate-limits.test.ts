import { afterEach, expect, test } from "vitest";
import { startFixtureBackend } from "../../../testing/fixture-backend.ts";
import type { TestBackend } from "../../../testing/test-backend.ts";

let backend: TestBackend;
afterEach(() => backend.close());

const limited = {
  status: 429,
  body: { code: "too_many_requests", exitCode: 31 },
  headers: { "retry-after": expect.stringMatching(/^([1-9]|[1-5]\d|60)$/) },
};

test("each credential has its own number of requests per minute", { tags: ["long"] }, async () => {
  backend = await startFixtureBackend({ rate: { perCredential: 3, perAddress: 1_000 } });
  const tenant = await backend.addTenant();
  const other = await tenant.addPerson("Rin");
  for (let count = 1; count <= 3; count += 1) {
    expect((await backend.type(tenant.token, "notes list")).status).toBe(200);
  }
  const refused = await backend.type(tenant.token, "notes list");
  expect({ ...refused, headers: toText(refused.headers) }).toMatchObject(limited);
  expect((await backend.type(other.token, "notes list")).status).toBe(200);
});

test("a minute after its first request a caller begins anew", async () => {
  let now = 5_000;
  backend = await startFixtureBackend({ rate: { perCredential: 1_000, perAddress: 2 }, now: () => now });
  const ask = async () => {
    const { statusCode, headers } = await backend.server.inject({ method: "GET", url: "/nowhere" });
    return [statusCode, headers["retry-after"]];
  };
  expect([await ask(), await ask()]).toEqual([
    [404, undefined],
    [404, undefined],
  ]);
  now += 59_000;
  expect(await ask()).toEqual([429, "1"]);
  now += 1_000;
  expect(await ask()).toEqual([404, undefined]);
  // Refused requests did not extend the minute, and the next one begins now.
  expect([await ask(), await ask()]).toEqual([
    [404, undefined],
    [429, "60"],
  ]);
});

test("each address has its own number, also for callers without a valid credential", async () => {
  backend = await startFixtureBackend({ rate: { perCredential: 1_000, perAddress: 3 } });
  const tenant = await backend.addTenant();
  const from = (remoteAddress: string, token: string) =>
    backend.server.inject({
      method: "GET",
      url: "/api/v1/context",
      remoteAddress,
      headers: { authorization: `Bearer ${token}` },
    });
  for (let count = 1; count <= 3; count += 1) {
    expect((await from("10.0.0.1", "svc_sa_guess")).statusCode).toBe(401);
  }
  const refused = await from("10.0.0.1", tenant.token);
  expect({
    status: refused.statusCode,
    body: refused.json(),
    headers: toText(refused.headers),
  }).toMatchObject(limited);
  expect((await from("10.0.0.2", tenant.token)).statusCode).toBe(200);
});

test.for([
  ["credential", { perCredential: 2, perAddress: 1_000 }],
  ["address", { perCredential: 1_000, perAddress: 2 }],
] as const)(
  "pieces of transfers are counted by %s, but not as commands, nor without limit",
  async ([, rate]) => {
    backend = await startFixtureBackend({ rate });
    const { token } = await backend.addTenant();
    const send = async (method: "HEAD" | "PATCH" | "GET" | "POST", url: string) =>
      (await backend.server.inject({ method, url, headers: { authorization: `Bearer ${token}` } }))
        .statusCode;
    const pieces = [
      ["HEAD", "/api/v1/uploads/x"],
      ["PATCH", "/api/v1/uploads/x"],
      ["GET", "/api/v1/downloads/x"],
      ["POST", "/api/v1/downloads/x"],
      ["GET", "/api/v1/downloads/x/y/1/z"],
    ] as const;
    for (const [method, url] of [...pieces, ...pieces]) expect(await send(method, url)).toBe(404);
    expect([await send("PATCH", "/api/v1/uploads/x"), await send("POST", "/api/v1/downloads/x")]).toEqual([
      429, 429,
    ]);
    expect((await backend.type(token, "notes list")).status).toBe(200);
    expect((await backend.type(token, "notes list")).status).toBe(200);
    expect((await backend.type(token, "notes list")).status).toBe(429);
  },
);

test("limits callers who try addresses that do not exist", async () => {
  backend = await startFixtureBackend({ rate: { perCredential: 1_000, perAddress: 3 } });
  const statuses: number[] = [];
  for (let count = 1; count <= 4; count += 1) {
    statuses.push((await backend.server.inject({ method: "GET", url: `/guess/${count}` })).statusCode);
  }
  expect(statuses).toEqual([404, 404, 404, 429]);
});

test("a header cannot claim another address if no proxy is trusted", async () => {
  backend = await startFixtureBackend({ rate: { perCredential: 1_000, perAddress: 3 } });
  const statuses: number[] = [];
  for (let count = 1; count <= 4; count += 1) {
    const answer = await backend.server.inject({
      method: "GET",
      url: "/nowhere",
      headers: { "x-forwarded-for": `10.0.0.${count}` },
    });
    statuses.push(answer.statusCode);
  }
  expect(statuses.at(-1)).toBe(429);
});

function toText(headers: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}
