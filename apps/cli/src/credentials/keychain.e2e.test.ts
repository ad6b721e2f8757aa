/** @module-tag nightly */
import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { LoginWorld } from "../../testing/login-world.ts";
import { TestKeyring } from "../../testing/test-keyring.ts";

const missing = "gnome-keyring and dbus are not installed";
let world: LoginWorld | undefined;
let keyring: TestKeyring | undefined;

beforeAll(async () => {
  if (!TestKeyring.isInstalled) {
    // The reporter counts skipped tests and does not say why.
    process.stderr.write(`The tests of the keychain are skipped: ${missing}.\n`);
    return;
  }
  vi.spyOn(console, "warn").mockImplementation(() => {});
  vi.spyOn(console, "info").mockImplementation(() => {});
  keyring = await TestKeyring.start();
  world = await LoginWorld.start(keyring.environment);
});
afterAll(async () => {
  await world?.close();
  await keyring?.close();
});
beforeEach((context) => {
  context.skip(!TestKeyring.isInstalled, missing);
});

function started() {
  if (!world || !keyring) throw new Error("nothing was started");
  return { world, keyring };
}

test("stores the login in the keychain, renews it there, and removes it again", async () => {
  const { world } = started();
  world.provider.accessTokenSeconds = 5;
  const home = await world.newHome();
  const login = home.start("login");
  await world.person.approve(await login.prompt);
  const { exitCode, out } = await login.ended;
  expect({ exitCode, out }).toMatchObject({ exitCode: 0, out: expect.stringContaining("in the keychain.") });
  const file = await readFile(home.credentials, "utf8");
  expect(JSON.parse(file)).toEqual({ [world.api.address]: { keptIn: "keychain" } });

  const before = world.provider.refreshes;
  world.provider.accessTokenSeconds = 3_600;
  expect(await home.run("whoami")).toMatchObject({ exitCode: 0, error: "" });
  expect(await home.run("whoami")).toMatchObject({ exitCode: 0, error: "" });
  expect(world.provider.refreshes - before).toBe(1);

  const withoutBus = await home.run("whoami", { DBUS_SESSION_BUS_ADDRESS: "" });
  expect(withoutBus).toMatchObject({
    exitCode: 43,
    error: expect.stringContaining("The login is in the keychain, which cannot be used"),
  });

  expect(await home.run("logout")).toMatchObject({ exitCode: 0, out: expect.stringContaining("revoked") });
  expect(await home.run("whoami")).toMatchObject({ exitCode: 10 });
});

test("does not wait for a keychain that does not answer", async () => {
  const { world, keyring } = started();
  const home = await world.newHome();
  keyring.freeze();
  try {
    const login = home.start("login");
    await world.person.approve(await login.prompt);
    // It ends while the keychain is still frozen.
    const { exitCode, out } = await login.ended;
    expect({ exitCode, out }).toMatchObject({ exitCode: 0, out: expect.stringContaining(home.credentials) });
  } finally {
    keyring.thaw();
  }
  expect(await home.run("whoami")).toMatchObject({ exitCode: 0, error: "" });
});
