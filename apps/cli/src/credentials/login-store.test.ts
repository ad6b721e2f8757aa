import { chmod, mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findCredential } from "./find-credential.ts";
import { Keychain } from "./keychain.ts";
import type { Login } from "./login.ts";
import { LoginStore } from "./login-store.ts";

const provider = { domain: "login.example", clientId: "svc", audience: "api" };
const login: Login = { accessToken: "secret", account: "mina", provider };
const { signal } = new AbortController();
let home: string;
let file: string;
let secrets: Map<string, string>;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "svc-store-"));
  file = join(home, ".config/svc/credentials.json");
  secrets = new Map();
});
afterEach(() => rm(home, { recursive: true }));

const working = () =>
  new Keychain({
    get: async ({ name }) => secrets.get(name) ?? null,
    set: async ({ name, value }) => void secrets.set(name, value),
    delete: async ({ name }) => secrets.delete(name),
  });

const fail = async () => {
  throw new Error("it is locked");
};
const locked = () => new Keychain({ get: fail, set: fail, delete: fail });

function storeWith(keychain: Keychain, address = "https://svc.example"): LoginStore {
  return new LoginStore(new URL(address), { HOME: home }, signal, keychain);
}

test("stores the login in the keychain, and only a note of it in the file", async () => {
  expect(await storeWith(working()).keep(login)).toBe("the keychain");
  expect(await readFile(file, "utf8")).not.toContain("secret");
  expect(await storeWith(working()).read()).toEqual(login);
  expect(await storeWith(working()).forget()).toEqual({ login });
  expect(secrets.size).toBe(0);
  expect(await storeWith(working()).read()).toBeUndefined();
});

test("stores the login in a private file if no keychain accepts it", async () => {
  expect(await storeWith(locked()).keep(login)).toBe(file);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await storeWith(locked()).read()).toEqual(login);
  expect(await storeWith(locked()).forget()).toEqual({ login });
  expect(await readFile(file, "utf8")).not.toContain("secret");
});

test("a keychain that cannot be read is a failure, never a missing login", async () => {
  await storeWith(working()).keep(login);
  await expect(storeWith(locked()).read()).rejects.toMatchObject({
    kind: "disk",
    message: expect.stringContaining("it is locked"),
  });
  await expect(storeWith(locked()).forget()).rejects.toMatchObject({ kind: "disk" });
  await expect(storeWith(new Keychain(undefined)).read()).rejects.toMatchObject({ kind: "disk" });
  secrets.set("https://svc.example", "{}");
  await expect(storeWith(working()).read()).rejects.toMatchObject({ kind: "disk" });
});

test("a login that the keychain has lost is reported, and can be removed", async () => {
  await storeWith(working()).keep(login);
  secrets.clear();
  await expect(storeWith(working()).read()).rejects.toThrow("no longer has the login");
  expect(await storeWith(working()).forget()).toEqual({ login: undefined });
  expect(await storeWith(working()).read()).toBeUndefined();
});

test.for([working, locked])("a login for one service is never used for another", async (keychain) => {
  const other = { ...login, accessToken: "other" };
  await storeWith(keychain()).keep(login);
  expect(await storeWith(keychain(), "https://svc.example:8443").read()).toBeUndefined();
  await storeWith(keychain(), "https://svc.example:8443").keep(other);
  expect(await storeWith(keychain()).forget()).toEqual({ login });
  expect(await storeWith(keychain(), "https://svc.example:8443").read()).toEqual(other);
});

test("a token from the environment is used without reading the disk", async () => {
  await storeWith(locked()).keep(login);
  await chmod(file, 0o644);
  const baseUrl = new URL("https://svc.example");
  await expect(findCredential(baseUrl, { environment: { HOME: home }, signal })).rejects.toMatchObject({
    kind: "disk",
  });
  const environment = { HOME: home, SVC_SA_TOKEN: "t" };
  expect(await findCredential(baseUrl, { environment, signal })).toMatchObject({ kind: "environment" });
});
