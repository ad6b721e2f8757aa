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
