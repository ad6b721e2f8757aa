import { Failure, Interrupted } from "@svc/machine/failure";
import { NetworkFailure } from "@svc/machine/network/network-failure";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Login } from "../credentials/login.ts";
import { ProviderRefusal } from "./identity-provider.ts";
import { waitForApproval } from "./wait-for-approval.ts";

const provider = { domain: "login.example", clientId: "svc", audience: "api" };
const given: Login = { accessToken: "a", account: "mina", provider };
const refusal = (error: string) => new ProviderRefusal("login.example", { error });
const pending = refusal("authorization_pending");

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Waits with a fake clock; returns the pauses in seconds. */
async function wait(answers: (Error | Login)[], options: { lifetime?: number; asksAtOnce?: boolean } = {}) {
  const pauses: number[] = [];
  const said: string[] = [];
  const code = {
    deviceCode: "d",
    userCode: "u",
    verificationUri: "https://login.example/device",
    expiresAt: Date.now() + (options.lifetime ?? 600) * 1_000,
    interval: 5,
  };
  const waiting = waitForApproval(code, {
    exchange: async () => {
      const answer = answers.shift() ?? pending;
      if (answer instanceof Error) throw answer;
      return answer;
    },
    signal: new AbortController().signal,
    say: (text) => said.push(text),
    pause: async (millis) => {
      pauses.push(millis / 1_000);
      vi.setSystemTime(Date.now() + millis);
    },
    ...(options.asksAtOnce ? { asksAtOnce: true } : {}),
  });
  const outcome = await waiting.catch((error: unknown) => error);
  return { outcome, pauses, said };
}

test("polls at the provider's interval until the login is approved", async () => {
  expect(await wait([pending, pending, given])).toMatchObject({ outcome: given, pauses: [5, 5, 5] });
});

test("polls at once when resuming", async () => {
  expect(await wait([pending, given], { asksAtOnce: true })).toMatchObject({ pauses: [0, 5] });
});

test("slows down by five seconds each time, and stays slow", async () => {
  const { pauses } = await wait([refusal("slow_down"), pending, refusal("slow_down"), pending, given]);
  expect(pauses).toEqual([5, 10, 10, 15, 15]);
});

test("continues after answers that are not the provider's, and says what they were", async () => {
  const cut = new NetworkFailure("noNetwork", "The connection was cut.");
  const page = new Failure("unavailable", "Something that svc does not understand.");
  const { outcome, said } = await wait([cut, page, pending, given]);
  expect(outcome).toBe(given);
  expect(said).toEqual([
    "Waiting for your approval …",
    "The connection was cut. Still waiting …",
    "Something that svc does not understand. Still waiting …",
    "Waiting for your approval …",
  ]);
});

test("ends when the code has expired, after a last poll, and names the last failure", async () => {
  const cut = new NetworkFailure("noNetwork", "The connection was cut.");
  const { outcome, pauses } = await wait([pending, pending, cut], { lifetime: 12 });
  expect(pauses).toEqual([5, 5, 2]);
  expect(outcome).toMatchObject({
    kind: "expired",
    message: expect.stringContaining("The connection was cut."),
    hint: expect.stringContaining("svc login"),
  });
});

test.for([
  ["access_denied", { kind: "notPermitted", message: "The login was denied." }],
  ["expired_token", { kind: "expired" }],
  ["invalid_client", { kind: "internal", message: expect.stringContaining("invalid_client") }],
] as const)("ends with %s", async ([error, expected]) => {
  const { outcome, pauses } = await wait([refusal(error)]);
  expect(outcome).toMatchObject(expected);
  expect(pauses).toEqual([5]);
});

test("ends when it is interrupted", async () => {
  expect((await wait([new Interrupted()])).outcome).toBeInstanceOf(Interrupted);
});
