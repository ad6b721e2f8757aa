import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Failure } from "@svc/machine/failure";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Login } from "./login.ts";
import { LoginCredential } from "./login-credential.ts";
import { LoginStore } from "./login-store.ts";

const provider = { domain: "login.example", clientId: "svc", audience: "api" };
const good: Login = {
  accessToken: "a1",
  refreshToken: "r1",
  expiresAt: Date.now() + 3_600_000,
  account: "mina",
  provider,
};
const old: Login = { ...good, expiresAt: Date.now() + 29_000 };
const renewed: Login = { ...good, accessToken: "a2", refreshToken: "r2" };

let home: string;
let store: LoginStore;
let refreshes: string[];

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "svc-credential-"));
  const { signal } = new AbortController();
  store = new LoginStore({ baseUrl: new URL("https://svc.example") }, { HOME: home }, signal);
  refreshes = [];
});
afterEach(() => rm(home, { recursive: true }));

function credential(login: Login): LoginCredential {
  return new LoginCredential(login, store, async (_login, refreshToken) => {
    refreshes.push(refreshToken);
    return renewed;
  });
}

test("uses a valid token without asking anybody", async () => {
  expect(await credential(good).token()).toBe("a1");
  expect(refreshes).toEqual([]);
});

test("renews a token that expires within half a minute, once, and stores the new one", async () => {
  await store.keep(old);
  const mine = credential(old);
  expect(await mine.token()).toBe("a2");
  expect(await mine.token()).toBe("a2");
  expect(refreshes).toEqual(["r1"]);
  expect(await store.read()).toEqual(renewed);
});

test("renews a token that the service refuses, however valid it looks", async () => {
  await store.keep(good);
  expect(await credential(good).renewed("a1")).toBe("a2");
  expect(refreshes).toEqual(["r1"]);
});

test("uses a token that another process has renewed", async () => {
  await store.keep(renewed);
  expect(await credential(old).token()).toBe("a2");
  expect(await credential(good).renewed("a1")).toBe("a2");
  expect(refreshes).toEqual([]);
});

test("renews once for all concurrent callers", async () => {
  await store.keep(old);
  const tokens = await Promise.all(Array.from({ length: 8 }, () => credential(old).token()));
  expect(new Set(tokens)).toEqual(new Set(["a2"]));
  expect(refreshes).toEqual(["r1"]);
});

test("without a refresh token the service's refusal stands", async () => {
  const { refreshToken: _, ...short } = old;
  await store.keep(short);
  await expect(credential(short).token()).rejects.toMatchObject({ kind: "expired" });
  expect(await credential(short).renewed("a1")).toBeUndefined();
});

test("a login does not come back after a logout", async () => {
  await expect(credential(old).token()).rejects.toMatchObject({ kind: "notLoggedIn" });
  expect(await store.read()).toBeUndefined();
});

test("a login stays unchanged if the provider cannot be reached", async () => {
  await store.keep(old);
  const mine = new LoginCredential(old, store, async () => {
    throw new Failure("noNetwork", "The connection was cut.");
  });
  await expect(mine.token()).rejects.toMatchObject({ kind: "noNetwork" });
  expect(await store.read()).toEqual(old);
});
