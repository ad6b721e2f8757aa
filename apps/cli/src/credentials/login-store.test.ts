import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findCredential } from "./find-credential.ts";
import { Keychain } from "./keychain.ts";
import type { Login } from "./login.ts";
import { LoginStore, profileOrigins } from "./login-store.ts";

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

function storeWith(keychain: Keychain, address = "https://svc.example", name?: string): LoginStore {
  return new LoginStore({ baseUrl: new URL(address), name }, { HOME: home }, signal, keychain);
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

test.for([working, locked])(
  "each profile has its own login, and the one without a name stays",
  async (keychain) => {
    const mine = { ...login, accessToken: "mine" };
    const other = { ...login, accessToken: "other", account: "rin" };
    await storeWith(keychain()).keep(login);
    await storeWith(keychain(), "https://svc.example", "work").keep(mine);
    await storeWith(keychain(), "https://svc.example:8443", "home").keep(other);
    expect(await storeWith(keychain()).read()).toEqual(login);
    expect(await storeWith(keychain(), "https://svc.example", "work").read()).toEqual(mine);
    // The name alone is not enough: a login is found for its own service only.
    expect(await storeWith(keychain(), "https://svc.example", "home").read()).toBeUndefined();
    expect(Object.fromEntries(await profileOrigins({ HOME: home }))).toEqual({
      work: "https://svc.example",
      home: "https://svc.example:8443",
    });
    expect(await storeWith(keychain(), "https://svc.example", "work").forget()).toEqual({ login: mine });
    expect(await storeWith(keychain()).read()).toEqual(login);
    expect(await storeWith(keychain(), "https://svc.example:8443", "home").read()).toEqual(other);
  },
);

test("logins that were stored before there were profiles are read", async () => {
  await mkdir(join(home, ".config/svc"), { recursive: true, mode: 0o700 });
  const stored = { "https://svc.example": { keptIn: "file", login } };
  await writeFile(file, JSON.stringify(stored), { mode: 0o600 });
  expect(await storeWith(locked()).read()).toEqual(login);
  await storeWith(locked(), "https://svc.example", "work").keep(login);
  // And an earlier svc reads what this one wrote.
  expect(JSON.parse(await readFile(file, "utf8"))).toMatchObject(stored);
});

test("a token from the environment is used without reading the disk", async () => {
  await storeWith(locked()).keep(login);
  await chmod(file, 0o644);
  const baseUrl = new URL("https://svc.example");
  await expect(findCredential({ baseUrl }, { environment: { HOME: home }, signal })).rejects.toMatchObject({
    kind: "disk",
  });
  const environment = { HOME: home, SVC_SA_TOKEN: "t" };
  expect(await findCredential({ baseUrl }, { environment, signal })).toMatchObject({ kind: "environment" });
});
